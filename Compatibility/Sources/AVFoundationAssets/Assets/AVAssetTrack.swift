// SPDX-License-Identifier: Apache-2.0
public import CoreMedia
public import Foundation

/// The sound of an asset.
///
/// - Note: Any thread.
open class AVAssetTrack: NSObject, AVAsynchronousKeyValueLoading, @unchecked Sendable {
  // Unchecked: what is stored does not change, and the asset is a weak reference.

  /// The asset; nil if it was freed.
  public private(set) weak var asset: AVAsset?
  let source: AssetSource
  let facts: AssetFacts

  init(_ asset: AVAsset, _ facts: AssetFacts) {
    (self.asset, source, self.facts) = (asset, asset.source, facts)
    super.init()
  }

  /// True: a track exists once it was read.
  public var hasLoadedProperties: Bool { true }

  /// The number of the track: 1.
  open var trackID: CMPersistentTrackID { 1 }

  /// Sound.
  open var mediaType: AVMediaType { .audio }

  /// The format of the sound: one `CMFormatDescription`.
  open var formatDescriptions: [Any] { [facts.description] }

  /// True if the sound can be played.
  open var isPlayable: Bool { true }

  /// True if the sound can be decoded.
  open var isDecodable: Bool { true }

  /// True if the track is part of playback.
  open var isEnabled: Bool { true }

  /// True if the track is complete in its file.
  open var isSelfContained: Bool { source.path != nil }

  /// Bytes of the packets or samples; 0 if they are not known.
  open var totalSampleDataLength: Int64 { facts.byteCount }

  /// The time of the track: from 0 to its length.
  open var timeRange: CMTimeRange { CMTimeRange(start: .zero, duration: facts.duration) }

  /// Frames per second.
  open var naturalTimeScale: CMTimeScale { CMTimeScale(clamping: facts.hertz) }

  /// Bits per second, on average.
  open var estimatedDataRate: Float { Float(facts.bitsPerSecond) }

  /// The usual volume of playback: 1.
  open var preferredVolume: Float { 1 }

  /// The language; nil: it is not read.
  open var languageCode: String? { nil }

  /// The language; nil: it is not read.
  open var extendedLanguageTag: String? { nil }

  /// The texts of the file under common keys.
  open var commonMetadata: [AVMetadataItem] { MetadataTexts.items(facts.tags) }

  /// The texts of the file: those under common keys.
  open var metadata: [AVMetadataItem] { commonMetadata }

  /// Returns true if the track has a property.
  ///
  /// - Parameter mediaCharacteristic: The property.
  /// - Returns: True for `.audible`.
  open func hasMediaCharacteristic(_ mediaCharacteristic: AVMediaCharacteristic) -> Bool {
    mediaCharacteristic == .audible
  }
}
