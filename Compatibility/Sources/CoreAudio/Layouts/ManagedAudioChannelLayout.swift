// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
internal import Foundation

/// A channel layout that manages its own memory, with value semantics.
@safe
public struct ManagedAudioChannelLayout {
  private var storage: LayoutStorage

  /// Creates a layout that takes ownership of an existing layout.
  ///
  /// - Parameters:
  ///   - audioChannelLayoutPointer: The existing layout.
  ///   - deallocator: Frees the existing layout when the last copy of the value is released.
  public init(
    audioChannelLayoutPointer: AudioChannelLayout.UnsafePointer,
    deallocator: @escaping (AudioChannelLayout.UnsafePointer) -> Void
  ) {
    storage = unsafe LayoutStorage(
      UnsafeMutablePointer(mutating: audioChannelLayoutPointer.unsafePointer)
    ) { unsafe deallocator(AudioChannelLayout.UnsafePointer($0)) }
  }

  /// Creates a layout with a tag.
  ///
  /// - Parameter tag: The channel layout tag.
  public init(tag: AudioChannelLayoutTag) {
    self.init(maximumDescriptions: 0)
    self.tag = tag
  }

  /// Creates a layout whose channels are unknown.
  ///
  /// - Parameter maximumDescriptions: The number of channels.
  public init(maximumDescriptions: Int) {
    storage = LayoutStorage(maximumDescriptions: maximumDescriptions)
  }

  /// Creates a layout from channel descriptions.
  ///
  /// - Parameter channelDescriptions: The descriptions of the channels, in order.
  public init(channelDescriptions: [AudioChannelDescription]) {
    self.init(maximumDescriptions: channelDescriptions.count)
    for (index, description) in channelDescriptions.enumerated() {
      unsafe storage.layout[index] = description
    }
  }

  /// The channel layout tag.
  public var tag: AudioChannelLayoutTag {
    get { unsafe storage.layout.unsafePointer.pointee.mChannelLayoutTag }
    set {
      makeUnique()
      unsafe storage.layout.unsafeMutablePointer.pointee.mChannelLayoutTag = newValue
    }
  }

  /// The bitmap of the channels, used if the tag is `kAudioChannelLayoutTag_UseChannelBitmap`.
  public var bitmap: AudioChannelBitmap {
    get { unsafe storage.layout.unsafePointer.pointee.mChannelBitmap }
    set {
      makeUnique()
      unsafe storage.layout.unsafeMutablePointer.pointee.mChannelBitmap = newValue
    }
  }

  /// The descriptions of the channels, used if the tag is
  /// `kAudioChannelLayoutTag_UseChannelDescriptions`.
  public var channelDescriptions: ChannelDescriptions {
    get { ChannelDescriptions(elements: unsafe Array(storage.layout)) }
    set {
      var layout = ManagedAudioChannelLayout(channelDescriptions: newValue.elements)
      layout.tag = tag
      layout.bitmap = bitmap
      self = layout
    }
  }

  /// Sets the descriptions of all channels to unknown.
  public mutating func setAllToUnknown() {
    makeUnique()
    tag = kAudioChannelLayoutTag_UseChannelDescriptions
    let unknown = AudioChannelDescription(
      mChannelLabel: kAudioChannelLabel_Unknown, mChannelFlags: [], mCoordinates: (0, 0, 0))
    for index in unsafe storage.layout.indices { unsafe storage.layout[index] = unknown }
  }

  /// The size of the layout in bytes.
  public var sizeInBytes: Int { unsafe storage.layout.sizeInBytes }

  /// The number of channels, according to the tag, the bitmap or the descriptions.
  public var numberOfChannels: Int {
    switch tag {
    case kAudioChannelLayoutTag_UseChannelDescriptions: unsafe storage.layout.count
    case kAudioChannelLayoutTag_UseChannelBitmap: bitmap.rawValue.nonzeroBitCount
    default: Int(AudioChannelLayoutTag_GetNumberOfChannels(tag))
    }
  }

  /// Calls a closure with a pointer to the layout.
  ///
  /// - Parameter body: Receives the pointer, which is valid during the call.
  /// - Returns: The result of the closure.
  public func withUnsafePointer<Result>(
    _ body: (UnsafePointer<AudioChannelLayout>) throws -> Result
  ) rethrows -> Result {
    try withExtendedLifetime(storage) { try unsafe body(storage.layout.unsafePointer) }
  }

  /// Calls a closure with a mutable pointer to the layout.
  ///
  /// - Parameter body: Receives the pointer, which is valid during the call.
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
  /// The channel descriptions of a layout as a collection.
  public struct ChannelDescriptions: MutableCollection, RandomAccessCollection, Equatable {
    fileprivate var elements: [AudioChannelDescription]

    /// The index of the first channel, 0.
    public var startIndex: Int { 0 }

    /// The index after the last channel.
    public var endIndex: Int { elements.count }

    /// Accesses the description of a channel.
    ///
    /// - Parameter index: The index of the channel, from 0.
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
