// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
internal import Foundation

extension AudioBufferList {
  /// Bytes before the first buffer.
  static var head: Int {
    unsafe MemoryLayout<AudioBufferList>.size - MemoryLayout<AudioBuffer>.size
  }

  /// Returns the size of a buffer list.
  ///
  /// - Parameter maximumBuffers: The number of buffers, at least 1.
  /// - Returns: The size in bytes.
  public static func sizeInBytes(maximumBuffers: Int) -> Int {
    precondition(maximumBuffers >= 1, "AudioBufferList should contain at least one AudioBuffer")
    return unsafe MemoryLayout<AudioBufferList>.size
      + (maximumBuffers - 1) * MemoryLayout<AudioBuffer>.stride
  }

  /// Allocates a buffer list whose buffers are empty.
  ///
  /// Free the `unsafeMutablePointer` of the result with `free`.
  ///
  /// - Parameter maximumBuffers: The number of buffers, at least 1.
  /// - Returns: The list; its `count` is the number of buffers.
  public static func allocate(maximumBuffers: Int) -> UnsafeMutableAudioBufferListPointer {
    let size = sizeInBytes(maximumBuffers: maximumBuffers)
    guard let memory = unsafe calloc(1, size) else {
      fatalError("no memory for an AudioBufferList")
    }
    let list = unsafe UnsafeMutableAudioBufferListPointer(
      memory.bindMemory(to: AudioBufferList.self, capacity: 1))
    unsafe list.count = maximumBuffers
    return unsafe list
  }
}
