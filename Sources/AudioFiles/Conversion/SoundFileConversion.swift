// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// The conversion of a sound file into another kind, rate, number of channels or bits.
///
/// The metadata of the file go with it; positions in frames are scaled with the rate.
public struct SoundFileConversion: Sendable {
  /// The kind of file to make.
  public var format: SoundFileFormat
  /// Frames a second; nil for those of the source, or the nearest the container holds.
  public var rate: SampleRate?
  /// The samples in a frame; nil for those of the source.
  public var channelCount: Int?
  /// The quality of a change of rate; very high by default.
  public var quality = SampleRateConverter.Quality.veryHigh
  /// The noise that is added before samples are rounded.
  ///
  /// Nil adds noise where rounding to fewer than 24 bits loses anything: at 24 bits what is lost
  /// lies at −146 dB, below any converter's own noise.
  public var dither: Dither?
  /// The frames of the source that are converted, as far as it has them; nil for all.
  public var frames: Range<Int64>?
  /// The bits a second that a lossy codec is to come near to; nil for its usual rate.
  public var codecBitrate: Int?
  /// The quality that a lossy codec is to keep, 0…1, where no bitrate is asked for; nil for its
  /// usual one.
  public var codecQuality: Double?
  /// Whether a file that has the name when the new one is complete is replaced; true by default.
  public var mayReplace = true
  /// A linear factor on every sample; 1 by default.
  public var gain = 1.0
  /// The order of the bytes of a sample, if the format lets it be chosen; nil for the usual one.
  public var byteOrder: SoundFileWriter.ByteOrder?

  /// Whether a file that was cut off is refused; otherwise what there is of it is converted; false
  /// by default.
  public var isStrict = false

  private static let chunk = 8192

  /// Creates a conversion that changes only the kind of file.
  public init(to format: SoundFileFormat) {
    self.format = format
  }

  /// What a conversion has done.
  public struct Report: Hashable, Sendable {
    /// Frames of the new file.
    public let frameCount: Int
    /// Its frames a second.
    public let rate: SampleRate
    /// Samples that were too loud and were brought to full scale.
    public let clampedSampleCount: Int
    /// What the source was short of; nil where it was whole or did not say.
    public let shortfall: SoundShortfall?
    /// Metadata of the source that the new file's container does not store.
    public let losses: [SoundFileMetadata.Loss]
  }

  /// The rate of the new file.
  private func rate(for source: SampleRate) -> SampleRate {
    if let rate { return rate }
    guard let rates = format.rates, !rates.contains(Int(source.hertz)) else {
      return source
    }
    // The next above loses nothing; above the highest there is only the highest.
    let hertz = rates.first { $0 > Int(source.hertz) } ?? rates[rates.count - 1]
    return SampleRate(hertz: hertz) ?? source
  }

  /// Converts a file; the new one appears whole, or not at all.
  ///
  /// - Parameters:
  ///   - reader: the file, opened in its own form and at its beginning.
  ///   - path: the name of the new file.
  ///   - descriptor: an open descriptor that takes the bytes in place of a file.
  ///   - progress: called some times a second of work with how far it is; returns whether to go on.
  /// - Returns: what was done, or nil where `progress` ended it.
  /// - Throws: `SoundFileError`; `cutOff` where that is refused.
  /// - Complexity: O(n) in the number of samples.
  public func run(
    from reader: SoundFileReader, to path: String, descriptor: Int32? = nil,
    progress: (SoundProgress) -> Bool
  ) throws(SoundFileError) -> Report? {
    let client = ClientFormat(
      rate: rate(for: reader.rate), channelCount: channelCount, quality: quality)
    try reader.setClient(client)
    try refuse(reader)
    // A length may be an estimate: all of a file is read to its end.
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

  /// The frames of the new file, where the source has them all; `Int.max` where that is not known.
  private func limit(of reader: SoundFileReader) -> Int {
    guard let frames else { return reader.clientFrameCount }
    let length = frames.clamped(to: 0..<Int64(reader.frameCount)).count
    guard length < 1 << 56 else { return .max }
    // To the nearest: the frames of all parts are those of the whole, or one more for each seam.
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

  /// Whether samples of the source lie between the integers of the new file.
  private func losesBits(_ reader: SoundFileReader) -> Bool {
    guard let bits = format.encoding.integerBits, bits < 24 else { return false }
    guard let own = reader.integerBits, own <= bits else { return true }
    return reader.clientRate != reader.rate || reader.clientChannelCount < reader.channelCount
      || gain != 1
  }
}
