// SPDX-License-Identifier: Apache-2.0
public import CoreMedia
public import Foundation

/// An output of a reader, from which you copy sample buffers.
///
/// Use the subclasses `AVAssetReaderTrackOutput` and `AVAssetReaderAudioMixOutput`.
///
/// - Note: One thread at a time.
open class AVAssetReaderOutput: NSObject, @unchecked Sendable {
  // Unchecked: what is stored is used under the lock.

  /// The track that is read.
  let source: AVAssetTrack
  private let settings: [String: Any]?
  private let lock = NSLock()
  private weak var reader: AVAssetReader?
  /// The samples of the ranges that are left.
  private var supplies: [any SampleSupply] = []
  private var copies = true
  private var resets = false

  init(_ track: AVAssetTrack, _ settings: [String: Any]?) {
    (source, self.settings) = (track, settings)
    super.init()
  }

  /// The media type; always `.audio`.
  open var mediaType: AVMediaType { .audio }

  /// True if the buffers are copies that you may change; true by default.
  ///
  /// The value is ignored: buffers are always copies.
  open var alwaysCopiesSampleData: Bool {
    get { lock.withLock { copies } }
    set { lock.withLock { copies = newValue } }
  }

  /// True to allow `reset(forReadingTimeRanges:)`; false by default.
  open var supportsRandomAccess: Bool {
    get { lock.withLock { resets } }
    set { lock.withLock { resets = newValue } }
  }

  /// Copies the next samples.
  ///
  /// A buffer has up to 8192 frames of PCM, or up to 32 packets.
  ///
  /// - Returns: The samples; nil at the end, after an error, and before the reader has been
  ///   started.
  open func copyNextSampleBuffer() -> CMSampleBuffer? {
    guard let reader = lock.withLock({ reader }), reader.status == .reading else { return nil }
    let next = lock.withLock {
      Result { () throws(AVError) in try takeNext() }
    }
    do {
      let buffer = try next.get()
      if buffer == nil { reader.end(self) }
      return buffer
    } catch {
      reader.fail(error)
      return nil
    }
  }

  /// The next samples of the ranges; nil at the end of the last.
  private func takeNext() throws(AVError) -> CMSampleBuffer? {
    while let supply = supplies.first {
      if let buffer = try supply.next() { return buffer }
      supplies.removeFirst()
    }
    return nil
  }

  /// Starts reading other time ranges, after all samples of the previous range have been read.
  ///
  /// - Parameter timeRanges: The ranges, in the order in which they are read. Apple's method takes
  ///   `NSValue`s, which cannot contain time ranges on Linux.
  open func reset(forReadingTimeRanges timeRanges: [CMTimeRange]) {
    guard supportsRandomAccess else { return }
    let reader = lock.withLock { self.reader }
    guard reader?.reopen(self) == true else { return }
    do {
      try open(timeRanges)
    } catch {
      reader?.fail(error)
    }
  }

  /// Declares that you will not call `reset` again.
  ///
  /// The reader then completes at the end of the last range.
  open func markConfigurationAsFinal() {
    supportsRandomAccess = false
    let (reader, isAtEnd) = lock.withLock { (self.reader, supplies.isEmpty) }
    if isAtEnd { reader?.end(self) }
  }

  /// Joins a reader; false if the output has one.
  func join(_ reader: AVAssetReader) -> Bool {
    lock.withLock {
      guard self.reader == nil else { return false }
      self.reader = reader
      return true
    }
  }

  /// True if the output has a reader.
  var hasReader: Bool { lock.withLock { reader != nil } }

  /// Opens the file at the start of each range.
  func open(_ ranges: [CMTimeRange]) throws(AVError) {
    let new = try ranges.map { (range) throws(AVError) in try makeSupply(range) }
    lock.withLock { supplies = new }
  }

  private func makeSupply(_ range: CMTimeRange) throws(AVError) -> any SampleSupply {
    let track = source
    guard let path = track.source.path, let length = track.facts.frameCount else {
      throw AVError(.operationNotSupportedForAsset)
    }
    let frames = range.frames(at: track.facts.hertz, of: length)
    if settings == nil {
      if let packets = try ReadPackets.of(path, track.facts) {
        return PacketSupply(packets, track.facts.description, range)
      }
      if let stored = StoredSupply(path: path, track.facts, frames) { return stored }
    }
    let output = try OutputSettings(settings ?? defaultSettings, track.facts)
    return try FrameSupply(path: path, output, frames, of: length)
  }

  /// The settings for nil: those of the file, or single precision for a codec without packets.
  var defaultSettings: [String: Any]? { ReadPackets.samples(of: source.facts) }

  func close() { lock.withLock { supplies = [] } }
}
