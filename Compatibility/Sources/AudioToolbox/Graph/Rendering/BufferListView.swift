// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio

/// The buffers of a buffer list.
@safe
struct BufferListView {
  private let first: UnsafeMutablePointer<AudioBuffer>

  @unsafe
  init(_ list: UnsafeMutablePointer<AudioBufferList>) {
    let offset = unsafe MemoryLayout<AudioBufferList>.stride - MemoryLayout<AudioBuffer>.stride
    unsafe first = (UnsafeMutableRawPointer(list) + offset).assumingMemoryBound(
      to: AudioBuffer.self)
  }

  subscript(index: Int) -> AudioBuffer {
    get { unsafe first[index] }
    nonmutating set { unsafe first[index] = newValue }
  }

  /// True if a list can hold a number of frames of one or two channels.
  @unsafe
  static func fits(_ list: UnsafeMutablePointer<AudioBufferList>, _ frames: Int) -> Bool {
    let count = unsafe list.pointee.mNumberBuffers
    guard count == 1 || count == 2 else { return false }
    let buffers = unsafe BufferListView(list)
    return (0..<Int(count)).allSatisfy { index in
      let buffer = unsafe buffers[index]
      let channels = unsafe Int(max(1, buffer.mNumberChannels))
      guard unsafe channels == 1 || (channels == 2 && count == 1 && buffer.mData != nil) else {
        return false
      }
      return unsafe buffer.mData == nil
        || Int(buffer.mDataByteSize) >= frames * channels * MemoryLayout<Float>.size
    }
  }
}
