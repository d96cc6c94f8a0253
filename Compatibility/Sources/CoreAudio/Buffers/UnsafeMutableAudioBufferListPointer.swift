// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

/// The buffers of an `AudioBufferList` as a collection.
///
/// The collection does not own the list; if you allocate a list, you must free it.
@unsafe
public struct UnsafeMutableAudioBufferListPointer {
  /// A pointer to the buffer list.
  public var unsafeMutablePointer: UnsafeMutablePointer<AudioBufferList>

  /// Creates a collection of the buffers of a list.
  ///
  /// - Parameter p: A pointer to the list, with memory for all of its buffers.
  public init(_ p: UnsafeMutablePointer<AudioBufferList>) {
    unsafe unsafeMutablePointer = p
  }

  /// Creates a collection of the buffers of a list; nil if the pointer is nil.
  ///
  /// - Parameter p: A pointer to the list, with memory for all of its buffers; may be nil.
  public init?(_ p: UnsafeMutablePointer<AudioBufferList>?) {
    guard let p = unsafe p else { return nil }
    unsafe self.init(p)
  }

  /// A read-only pointer to the buffer list.
  public var unsafePointer: UnsafePointer<AudioBufferList> {
    unsafe UnsafePointer(unsafeMutablePointer)
  }

  /// The number of buffers.
  ///
  /// You can set it to at most the number of buffers that was allocated.
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
  /// The index of a buffer.
  public typealias Index = Int
  /// The range of the indices.
  public typealias Indices = Range<Int>

  /// The index of the first buffer, 0.
  public var startIndex: Int { 0 }

  /// The index after the last buffer.
  public var endIndex: Int { unsafe count }

  /// Accesses the buffer at an index.
  ///
  /// - Parameter index: The index of the buffer, from 0.
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
