// SPDX-License-Identifier: Apache-2.0
public import CoreMedia
internal import Dispatch
public import Foundation

extension AVPartialAsyncProperty where Root: AVAsset {
  /// The tracks of the asset: one audio track.
  public static var tracks: AVAsyncProperty<Root, [AVAssetTrack]> {
    AVAsyncProperty("tracks") { (asset) throws(AVError) in try asset.loadedTracks() }
  }

  /// The duration of the asset, exact to the frame for files.
  public static var duration: AVAsyncProperty<Root, CMTime> {
    AVAsyncProperty("duration") { (asset) throws(AVError) in try asset.source.facts().duration }
  }

  /// The metadata of the file: title, artist and other texts.
  public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> {
    AVAsyncProperty("metadata") { (asset) throws(AVError) in
      MetadataTexts.items(try asset.source.facts().tags)
    }
  }

  /// The metadata of the file that has a common key.
  public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> {
    AVAsyncProperty("commonMetadata") { (asset) throws(AVError) in
      MetadataTexts.items(try asset.source.facts().tags)
    }
  }

  /// True if the asset can be played.
  public static var isPlayable: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty("playable") { (asset) throws(AVError) in asset.isPlayable }
  }

  /// True if an `AVAssetReader` can read the asset.
  public static var isReadable: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty("readable") { (asset) throws(AVError) in asset.isReadable }
  }

  /// True if an `AVAssetExportSession` can export the asset.
  public static var isExportable: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty("exportable") { (asset) throws(AVError) in asset.isExportable }
  }

  /// True if the asset is copy-protected; always false, since protected files cannot be read.
  public static var hasProtectedContent: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty("hasProtectedContent") { (_) throws(AVError) in false }
  }

  /// True if the duration is exact to the frame; always true.
  public static var providesPreciseDurationAndTiming: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty("providesPreciseDurationAndTiming") { (_) throws(AVError) in true }
  }
}

extension AVPartialAsyncProperty where Root: AVAssetTrack {
  /// The audio formats of the track: one `CMFormatDescription`.
  public static var formatDescriptions: AVAsyncProperty<Root, [CMFormatDescription]> {
    AVAsyncProperty("formatDescriptions") { (track) throws(AVError) in [track.facts.description] }
  }

  /// The time range of the track: from 0 to its duration.
  public static var timeRange: AVAsyncProperty<Root, CMTimeRange> {
    AVAsyncProperty("timeRange") { (track) throws(AVError) in track.timeRange }
  }

  /// The sample rate in hertz, as a timescale for times of the track.
  public static var naturalTimeScale: AVAsyncProperty<Root, CMTimeScale> {
    AVAsyncProperty("naturalTimeScale") { (track) throws(AVError) in track.naturalTimeScale }
  }

  /// The average data rate in bits per second.
  public static var estimatedDataRate: AVAsyncProperty<Root, Float> {
    AVAsyncProperty("estimatedDataRate") { (track) throws(AVError) in track.estimatedDataRate }
  }

  /// True if the track can be played.
  public static var isPlayable: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty("playable") { (_) throws(AVError) in true }
  }

  /// True if the track can be decoded.
  public static var isDecodable: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty("decodable") { (_) throws(AVError) in true }
  }

  /// True if the track is played with its asset; always true.
  public static var isEnabled: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty("enabled") { (_) throws(AVError) in true }
  }

  /// The size of all packets or samples in bytes.
  public static var totalSampleDataLength: AVAsyncProperty<Root, Int64> {
    AVAsyncProperty("totalSampleDataLength") { (track) throws(AVError) in track.facts.byteCount }
  }

  /// The metadata of the file: title, artist and other texts.
  public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> {
    AVAsyncProperty("metadata") { (track) throws(AVError) in track.metadata }
  }

  /// The metadata of the file that has a common key.
  public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> {
    AVAsyncProperty("commonMetadata") { (track) throws(AVError) in track.metadata }
  }
}

extension AVMetadataItem: AVAsynchronousKeyValueLoading {
  /// Always true: the properties of an item are loaded with its asset.
  public var hasLoadedProperties: Bool { true }
}

extension AVPartialAsyncProperty where Root: AVMetadataItem {
  /// The value of the item.
  public static var value: AVAsyncProperty<Root, (any NSCopying & NSObjectProtocol)?> {
    AVAsyncProperty("value") { (item) throws(AVError) in item.value }
  }

  /// The value of the item as a string; nil if the value is not a string.
  public static var stringValue: AVAsyncProperty<Root, String?> {
    AVAsyncProperty("stringValue") { (item) throws(AVError) in item.stringValue }
  }

  /// The value of the item as a number; nil if the value is not a number.
  public static var numberValue: AVAsyncProperty<Root, NSNumber?> {
    AVAsyncProperty("numberValue") { (item) throws(AVError) in item.numberValue }
  }

  /// The value of the item as data; nil if the value is not data.
  public static var dataValue: AVAsyncProperty<Root, Data?> {
    AVAsyncProperty("dataValue") { (item) throws(AVError) in item.dataValue }
  }
}

/// The loading state of a property.
public enum AVKeyValueStatus: Int, Sendable {
  /// Loading of the property has not been requested yet.
  case unknown = 0
  /// The property is being loaded.
  case loading = 1
  /// The property is loaded.
  case loaded = 2
  /// The property cannot be loaded.
  case failed = 3
  /// Loading of the property was cancelled.
  case cancelled = 4
}

extension AVAsset {
  /// Loads the tracks of a media type.
  ///
  /// - Parameter mediaType: The media type.
  /// - Returns: The audio track for `.audio`; otherwise an empty array.
  /// - Throws: An `AVError` if the file or address cannot be read.
  public func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVAssetTrack] {
    let property: AVAsyncProperty<AVAsset, [AVAssetTrack]> = .tracks
    return try await load(property).filter { $0.mediaType == mediaType }
  }

  /// Loads the tracks of a media type.
  ///
  /// - Parameters:
  ///   - mediaType: The media type.
  ///   - completionHandler: Called on a global queue, with the tracks or an error.
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

  /// Loads the metadata of a format.
  ///
  /// - Parameter format: The format of the metadata.
  /// - Returns: The items; an empty array for a format that the file does not have.
  /// - Throws: An `AVError` if the file or address cannot be read.
  public func loadMetadata(for format: AVMetadataFormat) async throws -> [AVMetadataItem] {
    let property: AVAsyncProperty<AVAsset, [AVMetadataItem]> = .commonMetadata
    return format == .unknown ? try await load(property) : []
  }

  /// Loads all properties of the asset.
  ///
  /// - Parameters:
  ///   - keys: The names of the properties; all properties are loaded, whichever are named.
  ///   - handler: Called on a global queue when the properties are loaded or loading has failed.
  public func loadValuesAsynchronously(
    forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)? = nil
  ) {
    DispatchQueue.global().async { [self] in
      _ = facts
      handler?()
    }
  }

  /// Returns the loading state of a property.
  ///
  /// - Parameters:
  ///   - key: The name of the property.
  ///   - outError: Receives the error if loading has failed; otherwise nil.
  /// - Returns: The loading state.
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
