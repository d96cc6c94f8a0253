// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

extension AudioChannelLayout {
  /// The channel descriptions of a layout as a collection, which does not own the layout.
  @unsafe
  public struct UnsafePointer {
    /// A pointer to the layout.
    public var unsafePointer: Swift.UnsafePointer<AudioChannelLayout>

    /// Creates a collection of the descriptions of a layout.
    ///
    /// - Parameter p: A pointer to the layout, with memory for all of its descriptions.
    public init(_ p: Swift.UnsafePointer<AudioChannelLayout>) {
      unsafe unsafePointer = p
    }

    /// Creates a collection of the descriptions of a layout; nil if the pointer is nil.
    ///
    /// - Parameter p: A pointer to the layout, with memory for all of its descriptions; may be nil.
    public init?(_ p: Swift.UnsafePointer<AudioChannelLayout>?) {
      guard let p = unsafe p else { return nil }
      unsafe self.init(p)
    }

    /// The number of channel descriptions.
    public var count: Int { unsafe Int(unsafePointer.pointee.mNumberChannelDescriptions) }

    /// The size of the layout in bytes.
    public var sizeInBytes: Int {
      unsafe AudioChannelLayout.sizeInBytes(maximumDescriptions: count)
    }
  }

  /// The channel descriptions of a layout as a mutable collection, which does not own the layout.
  @unsafe
  public struct UnsafeMutablePointer {
    /// A pointer to the layout.
    public var unsafeMutablePointer: Swift.UnsafeMutablePointer<AudioChannelLayout>

    /// Creates a collection of the descriptions of a layout.
    ///
    /// - Parameter p: A pointer to the layout, with memory for all of its descriptions.
    public init(_ p: Swift.UnsafeMutablePointer<AudioChannelLayout>) {
      unsafe unsafeMutablePointer = p
    }

    /// Creates a collection of the descriptions of a layout; nil if the pointer is nil.
    ///
    /// - Parameter p: A pointer to the layout, with memory for all of its descriptions; may be nil.
    public init?(_ p: Swift.UnsafeMutablePointer<AudioChannelLayout>?) {
      guard let p = unsafe p else { return nil }
      unsafe self.init(p)
    }

    /// A read-only pointer to the layout.
    public var unsafePointer: Swift.UnsafePointer<AudioChannelLayout> {
      unsafe Swift.UnsafePointer(unsafeMutablePointer)
    }

    /// The number of channel descriptions.
    ///
    /// You can set it to at most the number of descriptions that was allocated.
    public var count: Int {
      get { unsafe Int(unsafeMutablePointer.pointee.mNumberChannelDescriptions) }
      nonmutating set {
        unsafe unsafeMutablePointer.pointee.mNumberChannelDescriptions = UInt32(newValue)
      }
    }

    /// The size of the layout in bytes.
    public var sizeInBytes: Int {
      unsafe AudioChannelLayout.sizeInBytes(maximumDescriptions: count)
    }

    /// The first description; the others follow it.
    fileprivate var descriptions: Swift.UnsafeMutablePointer<AudioChannelDescription> {
      let raw = unsafe UnsafeMutableRawPointer(unsafeMutablePointer)
      return unsafe (raw + AudioChannelLayout.head)
        .assumingMemoryBound(to: AudioChannelDescription.self)
    }
  }
}

extension AudioChannelLayout.UnsafePointer: @unsafe RandomAccessCollection {
  /// The index of the first description, 0.
  public var startIndex: Int { 0 }

  /// The index after the last description.
  public var endIndex: Int { unsafe count }

  /// Accesses the channel description at an index.
  ///
  /// - Parameter index: The index of the description, from 0.
  public subscript(index: Int) -> AudioChannelDescription {
    precondition(unsafe index >= 0 && index < count, "subscript index out of range")
    let raw = unsafe UnsafeRawPointer(unsafePointer) + AudioChannelLayout.head
    return unsafe raw.assumingMemoryBound(to: AudioChannelDescription.self)[index]
  }
}

extension AudioChannelLayout.UnsafeMutablePointer: @unsafe MutableCollection,
  @unsafe RandomAccessCollection
{
  /// The index of the first description, 0.
  public var startIndex: Int { 0 }

  /// The index after the last description.
  public var endIndex: Int { unsafe count }

  /// Accesses the channel description at an index.
  ///
  /// - Parameter index: The index of the description, from 0.
  public subscript(index: Int) -> AudioChannelDescription {
    get {
      precondition(unsafe index >= 0 && index < count, "subscript index out of range")
      return unsafe descriptions[index]
    }
    nonmutating set {
      precondition(unsafe index >= 0 && index < count, "subscript index out of range")
      unsafe descriptions[index] = newValue
    }
  }
}
