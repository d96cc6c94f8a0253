// SPDX-License-Identifier: Apache-2.0
public import CoreMedia
public import Foundation

/// A sound: a file, or an address of HTTP.
///
/// `AVAsset(url:)` creates an `AVURLAsset`.
///
/// - Note: Any thread. Properties that are not loaded are read when they are first asked for, which
///   blocks.
open class AVAsset: NSObject, AVAsynchronousKeyValueLoading, AVAssetMaking, @unchecked Sendable {
  // Unchecked: the source is sendable, and the tracks are made once, under the lock.

  let source: AssetSource
  private let lock = NSLock()
  private var madeTracks: [AVAssetTrack]?

  init(_ source: AssetSource) {
    self.source = source
    super.init()
  }

  /// True if the properties were read, or could not be read.
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

  /// The tracks: one of sound; none if the asset cannot be read.
  open var tracks: [AVAssetTrack] {
    do {
      return try loadedTracks()
    } catch {
      return []
    }
  }

  /// Returns the tracks of a kind.
  ///
  /// - Parameter mediaType: The kind.
  /// - Returns: The tracks; none if the asset cannot be read.
  open func tracks(withMediaType mediaType: AVMediaType) -> [AVAssetTrack] {
    mediaType == .audio ? tracks : []
  }

  /// Returns the tracks with a property.
  ///
  /// - Parameter mediaCharacteristic: The property.
  /// - Returns: The tracks; none if the asset cannot be read.
  open func tracks(
    withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
  ) -> [AVAssetTrack] { mediaCharacteristic == .audible ? tracks : [] }

  /// Returns a track by its number.
  ///
  /// - Parameter trackID: The number.
  /// - Returns: The track, or nil.
  open func track(withTrackID trackID: CMPersistentTrackID) -> AVAssetTrack? {
    tracks.first { $0.trackID == trackID }
  }

  /// The length, exact to the frame for files; `.indefinite` for a broadcast, 0 if the asset cannot
  /// be read.
  open var duration: CMTime { facts?.duration ?? .zero }

  /// True: the lengths of files are exact.
  open var providesPreciseDurationAndTiming: Bool { true }

  /// The usual rate of playback: 1.
  open var preferredRate: Float { 1 }

  /// The usual volume of playback: 1.
  open var preferredVolume: Float { 1 }

  /// The texts of the file under common keys.
  open var commonMetadata: [AVMetadataItem] { MetadataTexts.items(facts?.tags ?? [:]) }

  /// The texts of the file: those under common keys.
  open var metadata: [AVMetadataItem] { commonMetadata }

  /// The kinds of metadata in the file.
  open var availableMetadataFormats: [AVMetadataFormat] {
    commonMetadata.isEmpty ? [] : [.unknown]
  }

  /// Returns the texts of a kind of metadata.
  ///
  /// - Parameter format: The kind.
  /// - Returns: The texts.
  open func metadata(forFormat format: AVMetadataFormat) -> [AVMetadataItem] {
    format == .unknown ? commonMetadata : []
  }

  /// True if the asset can be played.
  open var isPlayable: Bool { facts != nil }

  /// True if an `AVAssetReader` reads the asset: a file that can be read.
  open var isReadable: Bool { source.path != nil && facts != nil }

  /// True if an `AVAssetExportSession` exports the asset: a file that can be read.
  open var isExportable: Bool { isReadable }

  /// True if the asset can be part of a composition, which is not available.
  open var isComposable: Bool { false }

  /// True if the asset is protected, which is not possible here.
  open var hasProtectedContent: Bool { false }

  /// Cancels reading of properties, which is not possible here.
  open func cancelLoading() {}
}

/// Creates the assets that `AVAsset(url:)` stands for.
public protocol AVAssetMaking {}

extension AVAssetMaking where Self: AVAsset {
  /// Creates an asset of a file or an address; it is an `AVURLAsset`.
  ///
  /// - Parameter url: The file or address.
  public init(url: URL) {
    // `Self` is AVAsset: AVURLAsset declares the same initialiser, and programs cannot derive other
    // classes, since AVAsset's initialisers are internal.
    self = unsafe unsafeDowncast(AVURLAsset(url: url), to: Self.self)
  }
}
