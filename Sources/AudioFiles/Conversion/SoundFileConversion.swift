// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Converts a sound file to another format, rate, number of channels or bits.
///
/// The metadata is copied. If the rate changes, positions in the metadata are scaled accordingly.
public struct SoundFileConversion: Sendable {
  /// The format of the new file.
  public var format: SoundFileFormat
  /// The sample rate of the new file; nil for the rate of the source, or the nearest higher rate
  /// that the format supports (or the highest one).
  public var rate: SampleRate?
  /// The number of channels of the new file; nil for the number in the source.
  public var channelCount: Int?
  /// The quality of a rate conversion; very high by default.
  public var quality = SampleRateConverter.Quality.veryHigh
  /// The noise that is added before samples are rounded.
  ///
  /// By default (nil), triangular noise is added if samples are rounded to fewer than 24 bits. At
  /// 24 bits the rounding error has a level of −146 dB, which is below the noise of any
  /// digital-to-analogue converter.
  public var dither: Dither?
  /// The range of source frames to convert, clamped to the source; nil for all.
  public var frames: Range<Int64>?
  /// The target bitrate of a lossy codec, in bits per second; nil for the codec's default.
  public var codecBitrate: Int?
  /// The quality of a lossy codec, 0…1, used if `codecBitrate` is nil; nil for the codec's default.
  public var codecQuality: Double?
  /// True to replace an existing file with the same name when the new file is complete; true by
  /// default.
  public var mayReplace = true
  /// A linear factor for every sample; 1 by default.
  public var gain = 1.0
  /// The byte order of the samples, if the format supports both; nil for the format's default.
  public var byteOrder: SoundFileWriter.ByteOrder?

  /// True if a truncated source is an error; false by default.
  ///
  /// If false, the available part is converted.
  public var isStrict = false

  private static let chunk = 8192

  /// Creates a conversion that changes only the format.
  public init(to format: SoundFileFormat) {
    self.format = format
  }

  /// The result of a conversion.
  public struct Report: Hashable, Sendable {
    /// The number of frames in the new file.
    public let frameCount: Int
    /// The sample rate of the new file.
    public let rate: SampleRate
    /// The number of samples that exceeded full scale and were clamped.
    public let clampedSampleCount: Int
    /// The part of the source that was missing; nil if the source was complete or did not state its
    /// length.
    public let shortfall: SoundShortfall?
    /// The metadata of the source that is lost, because the new file's container does not store it.
    public let losses: [SoundFileMetadata.Loss]
  }

  /// The rate of the new file.
  private func rate(for source: SampleRate) -> SampleRate {
    if let rate { return rate }
    guard let rates = format.rates, !rates.contains(Int(source.hertz)) else {
      return source
    }
    // The next higher rate loses nothing; above the highest there is only the highest.
    let hertz = rates.first { $0 > Int(source.hertz) } ?? rates[rates.count - 1]
    return SampleRate(hertz: hertz) ?? source
  }

  /// Converts a file.
  ///
  /// The new file appears only when it is complete.
  ///
  /// - Parameters:
  ///   - reader: The source, opened without a client format and positioned at its start.
  ///   - path: The name of the new file.
  ///   - descriptor: An open file descriptor to write to instead of a file.
  ///   - progress: Called a few times per second with the progress. Return false to cancel.
  /// - Returns: The result, or nil if `progress` cancelled the conversion.
  /// - Throws: `SoundFileError`; `.cutOff` if the source is truncated and `isStrict` is true.
  /// - Complexity: O(n) in the number of samples.
  public func run(
    from reader: SoundFileReader, to path: String, descriptor: Int32? = nil,
    progress: (SoundProgress) -> Bool
  ) throws(SoundFileError) -> Report? {
    let client = ClientFormat(
      rate: rate(for: reader.rate), channelCount: channelCount, quality: quality)
    try reader.setClient(client)
    try refuse(reader)
    // The length can be an estimate, so a whole file is read to its end.
    let limit = frames == nil ? .max : limit(of: reader)
    if let start = frames?.lowerBound, !reader.locate(to: SampleTime(frames: start)) {
      throw .notSoundFile(path: reader.path, reason: "it ends before frame \(start)")
    }
    let writer = try writer(for: reader, path, descriptor)
    let total = Double(max(1, self.limit(of: reader)))
    let chunk = FrameChunk.frameCount(
      atMost: Self.chunk, channelCount: max(reader.channelCount, reader.clientChannelCount))
    let start = ContinuousClock.now
    while writer.frameCount < limit {
      let count = min(chunk, limit - writer.frameCount)
      var samples = reader.read(Double.self, frameCount: count)
      if samples.isEmpty { break }
      if gain != 1 { for index in samples.indices { samples[index] *= gain } }
      try writer.write(samples.span)
      let done = SoundProgress(
        fraction: Double(writer.frameCount) / total,
        frames: SampleTime(frames: Int64(writer.frameCount)), rate: reader.clientRate,
        elapsed: ContinuousClock.now - start)
      guard progress(done) else { return nil }
    }
    try refuse(reader)
    try writer.finish()
    return Report(
      frameCount: writer.frameCount, rate: reader.clientRate,
      clampedSampleCount: writer.clampedSampleCount, shortfall: reader.shortfall,
      losses: metadata(of: reader).losses(
        in: format, seconds: Double(writer.frameCount) / Double(reader.clientRate.hertz)))
  }

  /// The metadata of the new file.
  private func metadata(of reader: SoundFileReader) -> SoundFileMetadata {
    let metadata = frames.map(reader.metadata.excerpt) ?? reader.metadata
    return metadata.scaled(from: reader.rate, to: reader.clientRate)
  }

  /// The number of frames to write if the source has the whole range; `Int.max` if that is unknown.
  private func limit(of reader: SoundFileReader) -> Int {
    guard let frames else { return reader.clientFrameCount }
    let length = frames.clamped(to: 0..<Int64(reader.frameCount)).count
    guard length < 1 << 56 else { return .max }
    // Rounded to the nearest: all parts together have the frames of the whole, or one more per
    // seam.
    let (from, to) = (Int128(reader.rate.hertz), Int128(reader.clientRate.hertz))
    return Int(clamping: (Int128(length) * to * 2 + from) / (2 * from))
  }

  private func refuse(_ reader: SoundFileReader) throws(SoundFileError) {
    if isStrict, let shortfall = reader.shortfall { throw .cutOff(path: reader.path, shortfall) }
  }

  private func writer(
    for reader: SoundFileReader, _ path: String, _ descriptor: Int32?
  ) throws(SoundFileError) -> SoundFileWriter {
    var options = SoundFileWriter.Options()
    options.metadata = metadata(of: reader)
    options.mayReplace = mayReplace
    (options.bitrate, options.quality) = (codecBitrate, codecQuality)
    options.byteOrder = byteOrder
    options.dither = dither ?? (losesBits(reader) ? .triangular : .none)
    if reader.clientChannelCount == reader.channelCount, reader.channelCount > 2 {
      options.layout = reader.layout
    }
    let limit = limit(of: reader)
    if limit != .max { options.expectedFrameCount = limit }
    return try SoundFileWriter(
      path: path, descriptor: descriptor, format: format,
      channelCount: reader.clientChannelCount, rate: reader.clientRate, options: options)
  }

  /// True if rounding to the bits of the new file changes samples.
  private func losesBits(_ reader: SoundFileReader) -> Bool {
    guard let bits = format.encoding.integerBits, bits < 24 else { return false }
    guard let own = reader.integerBits, own <= bits else { return true }
    return reader.clientRate != reader.rate || reader.clientChannelCount < reader.channelCount
      || gain != 1
  }
}
