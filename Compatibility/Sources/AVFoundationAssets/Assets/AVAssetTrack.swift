// SPDX-License-Identifier: Apache-2.0
public import CoreMedia
public import Foundation

/// The audio track of an asset.
///
/// - Note: Any thread.
open class AVAssetTrack: NSObject, AVAsynchronousKeyValueLoading, @unchecked Sendable {
  // Unchecked: what is stored does not change, and the asset is a weak reference.

  /// The asset that contains the track; nil if the asset has been freed.
  public private(set) weak var asset: AVAsset?
  let source: AssetSource
  let facts: AssetFacts

  init(_ asset: AVAsset, _ facts: AssetFacts) {
    (self.asset, source, self.facts) = (asset, asset.source, facts)
    super.init()
  }

  /// Always true: the properties of a track are loaded with its asset.
  public var hasLoadedProperties: Bool { true }

  /// The identifier of the track; always 1.
  open var trackID: CMPersistentTrackID { 1 }

  /// The media type of the track; always `.audio`.
  open var mediaType: AVMediaType { .audio }

  /// The audio formats of the track: one `CMFormatDescription`.
  open var formatDescriptions: [Any] { [facts.description] }

  /// True if the track can be played; always true.
  open var isPlayable: Bool { true }

  /// True if the track can be decoded; always true.
  open var isDecodable: Bool { true }

  /// True if the track is played with its asset; always true.
  open var isEnabled: Bool { true }

  /// True if the track is stored in one file; false for an address.
  open var isSelfContained: Bool { source.path != nil }

  /// The size of all packets or samples in bytes; 0 if unknown.
  open var totalSampleDataLength: Int64 { facts.byteCount }

  /// The time range of the track: from 0 to its duration.
  open var timeRange: CMTimeRange { CMTimeRange(start: .zero, duration: facts.duration) }

  /// The sample rate in hertz, as a timescale for times of the track.
  open var naturalTimeScale: CMTimeScale { CMTimeScale(clamping: facts.hertz) }

  /// The average data rate in bits per second.
  open var estimatedDataRate: Float { Float(facts.bitsPerSecond) }

  /// The volume that the track suggests; always 1.
  open var preferredVolume: Float { 1 }

  /// The language of the track; always nil, since languages are not read.
  open var languageCode: String? { nil }

  /// The language of the track; always nil, since languages are not read.
  open var extendedLanguageTag: String? { nil }

  /// The metadata of the file that has a common key.
  open var commonMetadata: [AVMetadataItem] { MetadataTexts.items(facts.tags) }

  /// The metadata of the file: the same items as `commonMetadata`.
  open var metadata: [AVMetadataItem] { commonMetadata }

  /// Returns true if the track has a media characteristic.
  ///
  /// - Parameter mediaCharacteristic: The characteristic.
  /// - Returns: True for `.audible`.
  open func hasMediaCharacteristic(_ mediaCharacteristic: AVMediaCharacteristic) -> Bool {
    mediaCharacteristic == .audible
  }
}
