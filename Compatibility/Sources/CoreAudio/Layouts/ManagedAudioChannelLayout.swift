// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
internal import Foundation

/// A channel layout that owns its memory, as a value.
@safe
public struct ManagedAudioChannelLayout {
  private var storage: LayoutStorage

  /// Creates a layout from one that is freed with this value and its copies.
  ///
  /// - Parameters:
  ///   - audioChannelLayoutPointer: The layout.
  ///   - deallocator: Frees the layout.
  public init(
    audioChannelLayoutPointer: AudioChannelLayout.UnsafePointer,
    deallocator: @escaping (AudioChannelLayout.UnsafePointer) -> Void
  ) {
    storage = unsafe LayoutStorage(
      UnsafeMutablePointer(mutating: audioChannelLayoutPointer.unsafePointer)
    ) { unsafe deallocator(AudioChannelLayout.UnsafePointer($0)) }
  }

  /// Creates a layout that has a tag.
  ///
  /// - Parameter tag: The tag.
  public init(tag: AudioChannelLayoutTag) {
    self.init(maximumDescriptions: 0)
    self.tag = tag
  }

  /// Creates a layout of unknown channels.
  ///
  /// - Parameter maximumDescriptions: The number of channels.
  public init(maximumDescriptions: Int) {
    storage = LayoutStorage(maximumDescriptions: maximumDescriptions)
  }

  /// Creates a layout of described channels.
  ///
  /// - Parameter channelDescriptions: The channels in order.
  public init(channelDescriptions: [AudioChannelDescription]) {
    self.init(maximumDescriptions: channelDescriptions.count)
    for (index, description) in channelDescriptions.enumerated() {
      unsafe storage.layout[index] = description
    }
  }

  /// The tag, or the kind of the description.
  public var tag: AudioChannelLayoutTag {
    get { unsafe storage.layout.unsafePointer.pointee.mChannelLayoutTag }
    set {
      makeUnique()
      unsafe storage.layout.unsafeMutablePointer.pointee.mChannelLayoutTag = newValue
    }
  }

  /// The channels as bits, if the tag is `kAudioChannelLayoutTag_UseChannelBitmap`.
  public var bitmap: AudioChannelBitmap {
    get { unsafe storage.layout.unsafePointer.pointee.mChannelBitmap }
    set {
      makeUnique()
      unsafe storage.layout.unsafeMutablePointer.pointee.mChannelBitmap = newValue
    }
  }

  /// The channels as descriptions.
  public var channelDescriptions: ChannelDescriptions {
    get { ChannelDescriptions(elements: unsafe Array(storage.layout)) }
    set {
      var layout = ManagedAudioChannelLayout(channelDescriptions: newValue.elements)
      layout.tag = tag
      layout.bitmap = bitmap
      self = layout
    }
  }

  /// Makes a layout of descriptions, all of them of unknown channels.
  public mutating func setAllToUnknown() {
    makeUnique()
    tag = kAudioChannelLayoutTag_UseChannelDescriptions
    let unknown = AudioChannelDescription(
      mChannelLabel: kAudioChannelLabel_Unknown, mChannelFlags: [], mCoordinates: (0, 0, 0))
    for index in unsafe storage.layout.indices { unsafe storage.layout[index] = unknown }
  }

  /// Bytes of the layout.
  public var sizeInBytes: Int { unsafe storage.layout.sizeInBytes }

  /// The number of channels: as described, as in the bitmap or as in the tag.
  public var numberOfChannels: Int {
    switch tag {
    case kAudioChannelLayoutTag_UseChannelDescriptions: unsafe storage.layout.count
    case kAudioChannelLayoutTag_UseChannelBitmap: bitmap.rawValue.nonzeroBitCount
    default: Int(AudioChannelLayoutTag_GetNumberOfChannels(tag))
    }
  }

  /// Calls a closure with the layout.
  ///
  /// - Parameter body: Receives the layout, which is valid during the call.
  /// - Returns: The result of the closure.
  public func withUnsafePointer<Result>(
    _ body: (UnsafePointer<AudioChannelLayout>) throws -> Result
  ) rethrows -> Result {
    try withExtendedLifetime(storage) { try unsafe body(storage.layout.unsafePointer) }
  }

  /// Calls a closure with the layout, which it may change.
  ///
  /// - Parameter body: Receives the layout, which is valid during the call.
  /// - Returns: The result of the closure.
  public mutating func withUnsafeMutablePointer<Result>(
    _ body: (UnsafeMutablePointer<AudioChannelLayout>) throws -> Result
  ) rethrows -> Result {
    makeUnique()
    return try withExtendedLifetime(storage) {
      try unsafe body(storage.layout.unsafeMutablePointer)
    }
  }

  /// Copies the memory if another value has it too.
  private mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&storage) { storage = storage.copy() }
  }
}

extension ManagedAudioChannelLayout {
  /// The channels of a layout as descriptions.
  public struct ChannelDescriptions: MutableCollection, RandomAccessCollection, Equatable {
    fileprivate var elements: [AudioChannelDescription]

    /// 0.
    public var startIndex: Int { 0 }

    /// The number of channels.
    public var endIndex: Int { elements.count }

    /// A channel.
    ///
    /// - Parameter index: Its number, from 0.
    public subscript(index: Int) -> AudioChannelDescription {
      get { elements[index] }
      set { elements[index] = newValue }
    }
  }
}

extension ManagedAudioChannelLayout: Equatable {
  /// True if two layouts have the same tag, bitmap and descriptions.
  public static func == (lhs: ManagedAudioChannelLayout, rhs: ManagedAudioChannelLayout) -> Bool {
    lhs.tag == rhs.tag && lhs.bitmap == rhs.bitmap
      && lhs.channelDescriptions == rhs.channelDescriptions
  }
}

/// The memory of a layout.
@safe
private final class LayoutStorage {
  let layout: AudioChannelLayout.UnsafeMutablePointer
  private let deallocator: (Swift.UnsafeMutablePointer<AudioChannelLayout>) -> Void

  @unsafe
  init(
    _ layout: Swift.UnsafeMutablePointer<AudioChannelLayout>,
    _ deallocator: @escaping (Swift.UnsafeMutablePointer<AudioChannelLayout>) -> Void
  ) {
    unsafe self.layout = AudioChannelLayout.UnsafeMutablePointer(layout)
    unsafe self.deallocator = deallocator
  }

  init(maximumDescriptions: Int) {
    unsafe layout = AudioChannelLayout.allocate(maximumDescriptions: maximumDescriptions)
    unsafe deallocator = { unsafe free($0) }
  }

  deinit {
    unsafe deallocator(layout.unsafeMutablePointer)
  }

  func copy() -> LayoutStorage {
    let copy = unsafe LayoutStorage(maximumDescriptions: layout.count)
    unsafe memcpy(copy.layout.unsafeMutablePointer, layout.unsafePointer, layout.sizeInBytes)
    return copy
  }
}
