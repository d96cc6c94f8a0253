// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

extension AudioBuffer {
  /// Creates a buffer that refers to memory, without copying it.
  ///
  /// - Parameters:
  ///   - typedBuffer: The memory.
  ///   - numberOfChannels: The number of interleaved channels.
  public init<Element>(_ typedBuffer: UnsafeMutableBufferPointer<Element>, numberOfChannels: Int) {
    unsafe self.init(
      mNumberChannels: UInt32(numberOfChannels),
      mDataByteSize: UInt32(typedBuffer.count * MemoryLayout<Element>.stride),
      mData: UnsafeMutableRawPointer(typedBuffer.baseAddress))
  }
}

extension UnsafeBufferPointer {
  /// Creates a typed view of the memory of a buffer.
  ///
  /// - Parameter audioBuffer: The buffer.
  public init(_ audioBuffer: AudioBuffer) {
    unsafe self.init(UnsafeMutableBufferPointer(audioBuffer))
  }
}

extension UnsafeMutableBufferPointer {
  /// Creates a typed, mutable view of the memory of a buffer.
  ///
  /// - Parameter audioBuffer: The buffer.
  public init(_ audioBuffer: AudioBuffer) {
    let count = unsafe Int(audioBuffer.mDataByteSize) / MemoryLayout<Element>.stride
    let elements = unsafe audioBuffer.mData?.assumingMemoryBound(to: Element.self)
    unsafe self.init(start: elements, count: elements == nil ? 0 : count)
  }
}
