// SPDX-License-Identifier: Apache-2.0
public import CoreMedia
public import Foundation

/// Audio in a file or at an HTTP address.
///
/// `AVAsset(url:)` creates an `AVURLAsset`.
///
/// - Note: Any thread. The first access to a property that is not loaded blocks until it is loaded.
open class AVAsset: NSObject, AVAsynchronousKeyValueLoading, AVAssetMaking, @unchecked Sendable {
  // Unchecked: the source is sendable, and the tracks are made once, under the lock.

  let source: AssetSource
  private let lock = NSLock()
  private var madeTracks: [AVAssetTrack]?

  init(_ source: AssetSource) {
    self.source = source
    super.init()
  }

  /// True if the properties are loaded, or loading has failed.
  public var hasLoadedProperties: Bool { source.isLoaded }

  /// The properties; nil if they cannot be read.
  var facts: AssetFacts? {
    do {
      return try source.facts()
    } catch {
      return nil
    }
  }

  func loadedTracks() throws(AVError) -> [AVAssetTrack] {
    let facts = try source.facts()
    return lock.withLock {
      if let madeTracks { return madeTracks }
      let tracks = [AVAssetTrack(self, facts)]
      madeTracks = tracks
      return tracks
    }
  }

  /// The tracks of the asset: one audio track; an empty array if the asset cannot be read.
  open var tracks: [AVAssetTrack] {
    do {
      return try loadedTracks()
    } catch {
      return []
    }
  }

  /// Returns the tracks of a media type.
  ///
  /// - Parameter mediaType: The media type.
  /// - Returns: The tracks; an empty array if the asset cannot be read.
  open func tracks(withMediaType mediaType: AVMediaType) -> [AVAssetTrack] {
    mediaType == .audio ? tracks : []
  }

  /// Returns the tracks that have a media characteristic.
  ///
  /// - Parameter mediaCharacteristic: The characteristic.
  /// - Returns: All tracks for `.audible`; otherwise an empty array.
  open func tracks(
    withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
  ) -> [AVAssetTrack] { mediaCharacteristic == .audible ? tracks : [] }

  /// Returns the track with an identifier.
  ///
  /// - Parameter trackID: The identifier.
  /// - Returns: The track; nil if the asset does not have a track with the identifier.
  open func track(withTrackID trackID: CMPersistentTrackID) -> AVAssetTrack? {
    tracks.first { $0.trackID == trackID }
  }

  /// The duration, exact to the frame for files; `.indefinite` for a live stream, and 0 if the
  /// asset cannot be read.
  open var duration: CMTime { facts?.duration ?? .zero }

  /// True if the duration is exact to the frame; always true.
  open var providesPreciseDurationAndTiming: Bool { true }

  /// The playback rate that the asset suggests; always 1.
  open var preferredRate: Float { 1 }

  /// The volume that the asset suggests; always 1.
  open var preferredVolume: Float { 1 }

  /// The metadata of the file that has a common key.
  open var commonMetadata: [AVMetadataItem] { MetadataTexts.items(facts?.tags ?? [:]) }

  /// The metadata of the file: the same items as `commonMetadata`.
  open var metadata: [AVMetadataItem] { commonMetadata }

  /// The formats of the metadata in the file.
  open var availableMetadataFormats: [AVMetadataFormat] {
    commonMetadata.isEmpty ? [] : [.unknown]
  }

  /// Returns the metadata of a format.
  ///
  /// - Parameter format: The format of the metadata.
  /// - Returns: The items; an empty array for a format that the file does not have.
  open func metadata(forFormat format: AVMetadataFormat) -> [AVMetadataItem] {
    format == .unknown ? commonMetadata : []
  }

  /// True if the asset can be played.
  open var isPlayable: Bool { facts != nil }

  /// True if an `AVAssetReader` can read the asset, which must be a file.
  open var isReadable: Bool { source.path != nil && facts != nil }

  /// True if an `AVAssetExportSession` can export the asset, which must be a file.
  open var isExportable: Bool { isReadable }

  /// True if the asset can be part of a composition; always false.
  open var isComposable: Bool { false }

  /// True if the asset is copy-protected; always false, since protected files cannot be read.
  open var hasProtectedContent: Bool { false }

  /// Does nothing: loading cannot be cancelled.
  open func cancelLoading() {}
}

/// A type that `AVAsset(url:)` can create.
public protocol AVAssetMaking {}

extension AVAssetMaking where Self: AVAsset {
  /// Creates an asset for a file or an address, as an `AVURLAsset`.
  ///
  /// - Parameter url: The file or address.
  public init(url: URL) {
    // `Self` is AVAsset: AVURLAsset declares the same initialiser, and programs cannot derive other
    // classes, since AVAsset's initialisers are internal.
    self = unsafe unsafeDowncast(AVURLAsset(url: url), to: Self.self)
  }
}
