// SPDX-License-Identifier: Apache-2.0
public import CoreMedia
internal import Dispatch
public import Foundation

extension AVPartialAsyncProperty where Root: AVAsset {
  /// The tracks.
  public static var tracks: AVAsyncProperty<Root, [AVAssetTrack]> {
    AVAsyncProperty("tracks") { (asset) throws(AVError) in try asset.loadedTracks() }
  }

  /// The length.
  public static var duration: AVAsyncProperty<Root, CMTime> {
    AVAsyncProperty("duration") { (asset) throws(AVError) in try asset.source.facts().duration }
  }

  /// The texts of the file.
  public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> {
    AVAsyncProperty("metadata") { (asset) throws(AVError) in
      MetadataTexts.items(try asset.source.facts().tags)
    }
  }

  /// The texts of the file under common keys.
  public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> {
    AVAsyncProperty("commonMetadata") { (asset) throws(AVError) in
      MetadataTexts.items(try asset.source.facts().tags)
    }
  }

  /// True if the asset can be played.
  public static var isPlayable: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty("playable") { (asset) throws(AVError) in asset.isPlayable }
  }

  /// True if an `AVAssetReader` reads the asset.
  public static var isReadable: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty("readable") { (asset) throws(AVError) in asset.isReadable }
  }

  /// True if an `AVAssetExportSession` exports the asset.
  public static var isExportable: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty("exportable") { (asset) throws(AVError) in asset.isExportable }
  }

  /// True if the asset is protected.
  public static var hasProtectedContent: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty("hasProtectedContent") { (_) throws(AVError) in false }
  }

  /// True: the lengths of files are exact.
  public static var providesPreciseDurationAndTiming: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty("providesPreciseDurationAndTiming") { (_) throws(AVError) in true }
  }
}

extension AVPartialAsyncProperty where Root: AVAssetTrack {
  /// The format of the sound.
  public static var formatDescriptions: AVAsyncProperty<Root, [CMFormatDescription]> {
    AVAsyncProperty("formatDescriptions") { (track) throws(AVError) in [track.facts.description] }
  }

  /// The time of the track.
  public static var timeRange: AVAsyncProperty<Root, CMTimeRange> {
    AVAsyncProperty("timeRange") { (track) throws(AVError) in track.timeRange }
  }

  /// Frames per second.
  public static var naturalTimeScale: AVAsyncProperty<Root, CMTimeScale> {
    AVAsyncProperty("naturalTimeScale") { (track) throws(AVError) in track.naturalTimeScale }
  }

  /// Bits per second, on average.
  public static var estimatedDataRate: AVAsyncProperty<Root, Float> {
    AVAsyncProperty("estimatedDataRate") { (track) throws(AVError) in track.estimatedDataRate }
  }

  /// True if the sound can be played.
  public static var isPlayable: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty("playable") { (_) throws(AVError) in true }
  }

  /// True if the sound can be decoded.
  public static var isDecodable: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty("decodable") { (_) throws(AVError) in true }
  }

  /// True if the track is part of playback.
  public static var isEnabled: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty("enabled") { (_) throws(AVError) in true }
  }

  /// Bytes of the packets or samples.
  public static var totalSampleDataLength: AVAsyncProperty<Root, Int64> {
    AVAsyncProperty("totalSampleDataLength") { (track) throws(AVError) in track.facts.byteCount }
  }

  /// The texts of the file.
  public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> {
    AVAsyncProperty("metadata") { (track) throws(AVError) in track.metadata }
  }

  /// The texts of the file under common keys.
  public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> {
    AVAsyncProperty("commonMetadata") { (track) throws(AVError) in track.metadata }
  }
}

extension AVMetadataItem: AVAsynchronousKeyValueLoading {
  /// True: an item exists once it was read.
  public var hasLoadedProperties: Bool { true }
}

extension AVPartialAsyncProperty where Root: AVMetadataItem {
  /// The value.
  public static var value: AVAsyncProperty<Root, (any NSCopying & NSObjectProtocol)?> {
    AVAsyncProperty("value") { (item) throws(AVError) in item.value }
  }

  /// The value as a text.
  public static var stringValue: AVAsyncProperty<Root, String?> {
    AVAsyncProperty("stringValue") { (item) throws(AVError) in item.stringValue }
  }

  /// The value as a number.
  public static var numberValue: AVAsyncProperty<Root, NSNumber?> {
    AVAsyncProperty("numberValue") { (item) throws(AVError) in item.numberValue }
  }

  /// The value as bytes.
  public static var dataValue: AVAsyncProperty<Root, Data?> {
    AVAsyncProperty("dataValue") { (item) throws(AVError) in item.dataValue }
  }
}

/// The state of reading properties.
public enum AVKeyValueStatus: Int, Sendable {
  /// They were not needed so far.
  case unknown = 0
  /// They are being read.
  case loading = 1
  /// They are read.
  case loaded = 2
  /// They cannot be read.
  case failed = 3
  /// Reading was cancelled.
  case cancelled = 4
}

extension AVAsset {
  /// Reads the tracks of a kind.
  ///
  /// - Parameter mediaType: The kind.
  /// - Returns: The tracks.
  /// - Throws: An `AVError` if the file or address cannot be read.
  public func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVAssetTrack] {
    let property: AVAsyncProperty<AVAsset, [AVAssetTrack]> = .tracks
    return try await load(property).filter { $0.mediaType == mediaType }
  }

  /// Reads the tracks of a kind.
  ///
  /// - Parameters:
  ///   - mediaType: The kind.
  ///   - completionHandler: Is called on a queue, with the tracks or an error.
  public func loadTracks(
    withMediaType mediaType: AVMediaType,
    completionHandler: @escaping @Sendable ([AVAssetTrack]?, (any Error)?) -> Void
  ) {
    DispatchQueue.global().async { [self] in
      do {
        let tracks = try loadedTracks()
        completionHandler(tracks.filter { $0.mediaType == mediaType }, nil)
      } catch {
        completionHandler(nil, error)
      }
    }
  }

  /// Reads the texts of a kind of metadata.
  ///
  /// - Parameter format: The kind.
  /// - Returns: The texts.
  /// - Throws: An `AVError` if the file or address cannot be read.
  public func loadMetadata(for format: AVMetadataFormat) async throws -> [AVMetadataItem] {
    let property: AVAsyncProperty<AVAsset, [AVMetadataItem]> = .commonMetadata
    return format == .unknown ? try await load(property) : []
  }

  /// Reads properties.
  ///
  /// - Parameters:
  ///   - keys: The names of the properties; all are read.
  ///   - handler: Is called on a queue when they are read, or cannot be read.
  public func loadValuesAsynchronously(
    forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)? = nil
  ) {
    DispatchQueue.global().async { [self] in
      _ = facts
      handler?()
    }
  }

  /// Returns how far a property is read.
  ///
  /// - Parameters:
  ///   - key: The name of the property.
  ///   - outError: Receives the error if it cannot be read, or nil.
  /// - Returns: The state.
  public func statusOfValue(
    forKey key: String, error outError: UnsafeMutablePointer<NSError?>?
  ) -> AVKeyValueStatus {
    guard source.isLoaded else { return .unknown }
    do {
      _ = try source.facts()
      return .loaded
    } catch {
      unsafe outError?.pointee = error as NSError
      return .failed
    }
  }
}
