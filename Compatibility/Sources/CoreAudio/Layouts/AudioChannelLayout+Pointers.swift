// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

extension AudioChannelLayout {
  /// The channel descriptions of a layout as a collection.
  ///
  /// It does not own the layout.
  @unsafe
  public struct UnsafePointer {
    /// The layout.
    public var unsafePointer: Swift.UnsafePointer<AudioChannelLayout>

    /// Creates a collection of the descriptions of a layout.
    ///
    /// - Parameter p: The layout, with memory for all of its descriptions.
    public init(_ p: Swift.UnsafePointer<AudioChannelLayout>) {
      unsafe unsafePointer = p
    }

    /// Creates a collection of the descriptions of a layout; nil for nil.
    ///
    /// - Parameter p: The layout, with memory for all of its descriptions, or nil.
    public init?(_ p: Swift.UnsafePointer<AudioChannelLayout>?) {
      guard let p = unsafe p else { return nil }
      unsafe self.init(p)
    }

    /// The number of descriptions.
    public var count: Int { unsafe Int(unsafePointer.pointee.mNumberChannelDescriptions) }

    /// Bytes of the layout.
    public var sizeInBytes: Int {
      unsafe AudioChannelLayout.sizeInBytes(maximumDescriptions: count)
    }
  }

  /// The channel descriptions of a layout as a collection whose elements can be changed.
  ///
  /// It does not own the layout.
  @unsafe
  public struct UnsafeMutablePointer {
    /// The layout.
    public var unsafeMutablePointer: Swift.UnsafeMutablePointer<AudioChannelLayout>

    /// Creates a collection of the descriptions of a layout.
    ///
    /// - Parameter p: The layout, with memory for all of its descriptions.
    public init(_ p: Swift.UnsafeMutablePointer<AudioChannelLayout>) {
      unsafe unsafeMutablePointer = p
    }

    /// Creates a collection of the descriptions of a layout; nil for nil.
    ///
    /// - Parameter p: The layout, with memory for all of its descriptions, or nil.
    public init?(_ p: Swift.UnsafeMutablePointer<AudioChannelLayout>?) {
      guard let p = unsafe p else { return nil }
      unsafe self.init(p)
    }

    /// The layout.
    public var unsafePointer: Swift.UnsafePointer<AudioChannelLayout> {
      unsafe Swift.UnsafePointer(unsafeMutablePointer)
    }

    /// The number of descriptions.
    ///
    /// It can be set to at most the number that was allocated.
    public var count: Int {
      get { unsafe Int(unsafeMutablePointer.pointee.mNumberChannelDescriptions) }
      nonmutating set {
        unsafe unsafeMutablePointer.pointee.mNumberChannelDescriptions = UInt32(newValue)
      }
    }

    /// Bytes of the layout.
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
  /// 0.
  public var startIndex: Int { 0 }

  /// The number of descriptions.
  public var endIndex: Int { unsafe count }

  /// A description.
  ///
  /// - Parameter index: Its number, from 0.
  public subscript(index: Int) -> AudioChannelDescription {
    precondition(unsafe index >= 0 && index < count, "subscript index out of range")
    let raw = unsafe UnsafeRawPointer(unsafePointer) + AudioChannelLayout.head
    return unsafe raw.assumingMemoryBound(to: AudioChannelDescription.self)[index]
  }
}

extension AudioChannelLayout.UnsafeMutablePointer: @unsafe MutableCollection,
  @unsafe RandomAccessCollection
{
  /// 0.
  public var startIndex: Int { 0 }

  /// The number of descriptions.
  public var endIndex: Int { unsafe count }

  /// A description.
  ///
  /// - Parameter index: Its number, from 0.
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
