// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

/// The buffers of an `AudioBufferList` as a collection.
///
/// It does not own the list: a program that allocates a list frees it.
@unsafe
public struct UnsafeMutableAudioBufferListPointer {
  /// The list.
  public var unsafeMutablePointer: UnsafeMutablePointer<AudioBufferList>

  /// Creates a collection of the buffers of a list.
  ///
  /// - Parameter p: The list, with memory for all of its buffers.
  public init(_ p: UnsafeMutablePointer<AudioBufferList>) {
    unsafe unsafeMutablePointer = p
  }

  /// Creates a collection of the buffers of a list; nil for nil.
  ///
  /// - Parameter p: The list, with memory for all of its buffers, or nil.
  public init?(_ p: UnsafeMutablePointer<AudioBufferList>?) {
    guard let p = unsafe p else { return nil }
    unsafe self.init(p)
  }

  /// The list.
  public var unsafePointer: UnsafePointer<AudioBufferList> {
    unsafe UnsafePointer(unsafeMutablePointer)
  }

  /// The number of buffers.
  ///
  /// It can be set to at most the number that was allocated.
  public var count: Int {
    get { unsafe Int(unsafeMutablePointer.pointee.mNumberBuffers) }
    nonmutating set { unsafe unsafeMutablePointer.pointee.mNumberBuffers = UInt32(newValue) }
  }

  /// The first buffer; the others follow it.
  private var buffers: UnsafeMutablePointer<AudioBuffer> {
    let raw = unsafe UnsafeMutableRawPointer(unsafeMutablePointer)
    return unsafe (raw + AudioBufferList.head).assumingMemoryBound(to: AudioBuffer.self)
  }
}

extension UnsafeMutableAudioBufferListPointer: @unsafe MutableCollection,
  @unsafe RandomAccessCollection
{
  /// A buffer.
  public typealias Element = AudioBuffer
  /// The number of a buffer, from 0.
  public typealias Index = Int
  /// Numbers of buffers.
  public typealias Indices = Range<Int>

  /// 0.
  public var startIndex: Int { 0 }

  /// The number of buffers.
  public var endIndex: Int { unsafe count }

  /// A buffer.
  ///
  /// - Parameter index: Its number, from 0.
  public subscript(index: Int) -> AudioBuffer {
    get {
      precondition(unsafe index >= 0 && index < count, "subscript index out of range")
      return unsafe buffers[index]
    }
    nonmutating set {
      precondition(unsafe index >= 0 && index < count, "subscript index out of range")
      unsafe buffers[index] = newValue
    }
  }
}
