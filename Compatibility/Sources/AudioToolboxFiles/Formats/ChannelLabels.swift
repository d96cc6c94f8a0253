// SPDX-License-Identifier: Apache-2.0
package import AudioFiles
package import CCoreAudio

/// The channels of an `AudioChannelLayout`, whichever way it states them.
package struct ChannelLabels: Hashable, Sendable {
  /// The labels in the order of the samples.
  package var labels: [AudioChannelLabel]

  /// The tag that the layout was given as, if it was.
  package private(set) var statedTag: AudioChannelLayoutTag?

  /// The bytes of a layout before its first description.
  private static let head = 12
  private static let descriptionSize = MemoryLayout<AudioChannelDescription>.size

  /// The most channels that a layout can have here.
  private static let limit = 1024

  /// Creates the channels of a layout of this package.
  package init(_ layout: ChannelLayout) {
    let hasSides = layout.roles.contains(.sideLeft) || layout.roles.contains(.sideRight)
    labels = layout.roles.map { $0.label(hasSides: hasSides) }
  }

  /// Creates channels with labels.
  package init(_ labels: [AudioChannelLabel]) { self.labels = labels }

  /// Creates the channels of a tag; nil if it does not state any, or more than 1024.
  package init?(tag: AudioChannelLayoutTag) {
    guard AudioChannelLayoutTag_GetNumberOfChannels(tag) <= UInt32(Self.limit),
      let labels = LayoutTags.labels(tag), !labels.isEmpty
    else { return nil }
    (self.labels, statedTag) = (labels, tag)
  }

  /// Creates the channels of a bitmap, in the order of its bits.
  package init(bitmap: AudioChannelBitmap) {
    labels = (0..<32).filter { bitmap.rawValue >> $0 & 1 == 1 }.map { Self.label(ofBit: $0) }
  }

  private static func label(ofBit bit: UInt32) -> AudioChannelLabel {
    switch bit {
    case 0..<18: bit + 1
    // The bits of the channels above, from front to rear.
    case 21, 23...26: bit + 28
    default: kAudioChannelLabel_Unknown
    }
  }

  /// Reads a layout in memory; nil if it is too small for its descriptions or states no channels.
  ///
  /// - Parameters:
  ///   - memory: the layout.
  ///   - size: the number of bytes that may be read.
  package init?(_ memory: UnsafeRawPointer, size: Int) {
    guard size >= Self.head else { return nil }
    let tag = unsafe memory.loadUnaligned(as: UInt32.self)
    let bits = unsafe memory.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
    let count = Int(unsafe memory.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    switch tag {
    case kAudioChannelLayoutTag_UseChannelBitmap:
      self.init(bitmap: AudioChannelBitmap(rawValue: bits))
    case kAudioChannelLayoutTag_UseChannelDescriptions:
      guard (1...Self.limit).contains(count), size >= Self.head + count * Self.descriptionSize
      else { return nil }
      self.init(
        (0..<count).map { index in
          unsafe memory.loadUnaligned(
            fromByteOffset: Self.head + index * Self.descriptionSize, as: UInt32.self)
        })
    default: self.init(tag: tag)
    }
    if labels.isEmpty { return nil }
  }

  /// The channels as a layout of this package.
  package var layout: ChannelLayout {
    let rear = [kAudioChannelLabel_RearSurroundLeft, kAudioChannelLabel_RearSurroundRight]
    let hasRear = labels.contains { rear.contains($0) }
    return ChannelLayout(labels.map { ChannelRole($0, hasRear: hasRear) })
  }

  /// The tag of the channels; nil if none has their order.
  package var tag: AudioChannelLayoutTag? { statedTag ?? LayoutTags.tag(labels) }

  /// The bitmap of the channels; nil if they are not all in it, in the order of its bits.
  package var bitmap: AudioChannelBitmap? {
    let bits = labels.map { label -> UInt32? in
      switch label {
      case 1...18: label - 1
      case 49, 51...54: label - 28
      case kAudioChannelLabel_Mono: 2
      default: nil
      }
    }
    let known = bits.compactMap { $0 }
    guard known.count == bits.count, zip(known, known.dropFirst()).allSatisfy(<) else { return nil }
    return AudioChannelBitmap(rawValue: known.reduce(0) { $0 | 1 << $1 })
  }

  /// The bytes of a layout with a tag if there is one, otherwise with descriptions.
  package var bytes: [UInt8] {
    guard let tag else { return described }
    return Self.words([tag, 0, 0]) + [UInt8](repeating: 0, count: Self.descriptionSize)
  }

  /// The bytes of a layout with descriptions.
  package var described: [UInt8] {
    Self.words([kAudioChannelLayoutTag_UseChannelDescriptions, 0, UInt32(labels.count)])
      + labels.flatMap { Self.words([$0, 0, 0, 0, 0]) }
  }

  private static func words(_ words: [UInt32]) -> [UInt8] {
    words.flatMap { word in unsafe withUnsafeBytes(of: word) { unsafe Array($0) } }
  }
}
