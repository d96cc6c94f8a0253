// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Converts the sample rate, channel layout, interleaving and bits (with dither) of a stream of
/// samples.
///
/// Either push samples in pieces of any size and take the output when it is ready, or call `pull`,
/// which requests the input that it needs. The sizes of the pieces do not change the output.
///
/// The length is exact: n frames become n × target rate ÷ source rate frames in total, rounded to
/// the nearest, a half upwards (`frameCount(of:)`).
///
/// If samples are not interleaved, each piece contains all samples of the first channel, then those
/// of the second, and so on.
///
/// - Note: Not real-time safe. Use from one thread at a time.
public final class SoundConverter {
  /// The form of samples: their rate, channels and order in memory.
  public struct Form: Hashable, Sendable {
    /// The sample rate.
    public var rate: SampleRate
    /// The loudspeaker of each channel.
    public var layout: ChannelLayout
    /// True if the samples of a frame are adjacent; true by default.
    public var isInterleaved: Bool

    /// Creates a description of samples in memory.
    public init(rate: SampleRate, layout: ChannelLayout, isInterleaved: Bool = true) {
      (self.rate, self.layout, self.isInterleaved) = (rate, layout, isInterleaved)
    }

    /// The number of channels.
    public var channelCount: Int { layout.roles.count }
  }

  /// The way in which a rate conversion begins: the input that is assumed before the first frame,
  /// and the position of the first output frame.
  public enum Priming: Hashable, Sendable {
    /// Silence precedes the first frame.
    ///
    /// The first output frame has the position of the first input frame, and is ready when the
    /// filter has enough input.
    case silence
    /// The first `frameCount` frames that are pushed precede the sound.
    ///
    /// The filter uses these frames, and the output starts with the first frame at or after their
    /// end.
    case leading(frameCount: Int)
    /// Output frame n is ready when input frame n is pushed.
    ///
    /// The sound is therefore delayed by `latency`: silence is returned first, and the last frames
    /// are returned only if `latency` more frames are pushed.
    case late
  }

  /// The form of the input samples.
  public let source: Form
  /// The form of the output samples.
  public let target: Form
  /// The way in which a rate conversion begins.
  public let priming: Priming
  /// The delay of the sound in output frames; 0 unless `priming` is `Priming.late`.
  public let latency: Int
  /// The bits used of each output integer; nil for all bits of the type.
  private let bits: Int?
  private let dither: Dither
  private let quality: SampleRateConverter.Quality

  private let matrix: ChannelMatrix?
  private var converter: SampleRateConverter?
  private var noise = DitherNoise()
  /// Frames that were pushed, and frames that were taken.
  private var pushed = 0
  private var taken = 0
  /// Interleaved output samples; those before `readyStart` were taken.
  private var ready: [Double] = []
  private var readyStart = 0
  /// Output frames that must still be left out.
  private var leading = 0
  private var isFinished = false

  /// Creates a converter at the start of a stream.
  ///
  /// - Parameters:
  ///   - source: The input form, with 1…1024 channels.
  ///   - target: The output form.
  ///   - quality: The precision of a rate conversion.
  ///   - priming: The way in which a rate conversion begins.
  ///   - bits: The number of bits of output integers, 2…32, which are the upper bits of the type;
  ///     nil for all bits of the type.
  ///   - dither: The noise that is added before samples are rounded to integers.
  /// - Throws: `SoundFileError.impossibleRateChange`, `.converterMissing`.
  /// - Complexity: O(1); for `Priming.late`, the time to convert one second of sound.
  public init(
    from source: Form, to target: Form, quality: SampleRateConverter.Quality = .veryHigh,
    priming: Priming = .silence, bits: Int? = nil, dither: Dither = .none
  ) throws(SoundFileError) {
    precondition(bits.map { (2...32).contains($0) } ?? true, "integer samples must have 2…32 bits")
    (self.source, self.target, self.quality, self.priming) = (source, target, quality, priming)
    (self.bits, self.dither) = (bits, dither)
    matrix = source.layout == target.layout ? nil : ChannelMatrix(source.layout, to: target.layout)
    latency =
      priming == .late && source.rate != target.rate
      ? try Self.latency(source.rate, target.rate, quality) : 0
    try begin()
  }

  /// Discards all input that was pushed and all output that was not taken.
  ///
  /// The next samples start a new stream.
  ///
  /// - Throws: The same errors as `init`.
  public func reset() throws(SoundFileError) { try begin() }

  private func begin() throws(SoundFileError) {
    converter = nil
    if source.rate != target.rate {
      converter = try SampleRateConverter(
        from: source.rate, to: target.rate, channelCount: target.channelCount, quality: quality)
    }
    (pushed, taken, readyStart, isFinished, noise) = (0, 0, 0, false, DitherNoise())
    ready = Array(repeating: 0, count: latency * target.channelCount)
    leading = 0
    if case .leading(let count) = priming { leading = scaled(count, .up) }
  }

  /// The number of output frames in the duration of `count` input frames.
  private func scaled(_ count: Int, _ rule: FloatingPointRoundingRule) -> Int {
    let (from, to) = (Int128(source.rate.hertz), Int128(target.rate.hertz))
    let product = Int128(count) * to
    return switch rule {
    case .up: Int((product + from - 1) / from)
    case .down: Int(product / from)
    default: Int((2 * product + from) / (2 * from))
    }
  }
}

extension SoundConverter {
  /// Returns the total number of output frames for a stream of `sourceFrameCount` input frames.
  public func frameCount(of sourceFrameCount: Int) -> Int {
    max(0, scaled(sourceFrameCount, .toNearestOrAwayFromZero) - leadingCount)
  }

  /// Returns the smallest number of input frames for which a finished stream has at least
  /// `frameCount` output frames.
  public func sourceFrameCount(for frameCount: Int) -> Int {
    guard frameCount > 0 else { return 0 }
    let (from, to) = (Int128(source.rate.hertz), Int128(target.rate.hertz))
    // The smallest n with ⌊(2·n·to + from) / (2·from)⌋ ≥ all.
    let all = Int128(frameCount + leadingCount)
    return Int((2 * from * all - from + 2 * to - 1) / (2 * to))
  }

  private var leadingCount: Int {
    guard case .leading(let count) = priming else { return 0 }
    return scaled(count, .up)
  }

  /// The number of output frames that can be taken now.
  public var readyFrameCount: Int {
    let count = (ready.count - readyStart) / target.channelCount
    let limit =
      if isFinished {
        frameCount(of: pushed)
      } else {
        priming == .late ? scaled(pushed, .down) : Int.max
      }
    return min(count, limit - taken)
  }

  /// Pushes samples, in the form of the input.
  ///
  /// If the rate or the channels change, NaN and infinite samples become silence.
  ///
  /// - Precondition: `samples` has complete frames, and the stream is not finished.
  /// - Complexity: O(n) in the number of samples.
  @specialized(where Sample == Float)
  @specialized(where Sample == Double)
  @specialized(where Sample == Int16)
  @specialized(where Sample == Int32)
  public func push<Sample: AudioSample>(_ samples: Span<Sample>) {
    precondition(samples.count % source.channelCount == 0, "samples must be whole frames")
    precondition(!isFinished, "the stream is finished (call reset to start another)")
    pushed += samples.count / source.channelCount
    add(interleaved(samples))
  }

  private func interleaved<Sample: AudioSample>(_ samples: Span<Sample>) -> [Double] {
    let (channels, frames) = (source.channelCount, samples.count / source.channelCount)
    guard !source.isInterleaved, channels > 1 else {
      return samples.indices.map { samples[$0].value }
    }
    return (0..<samples.count).map { samples[$0 % channels * frames + $0 / channels].value }
  }

  private func add(_ samples: [Double]) {
    ready.removeFirst(readyStart)
    readyStart = 0
    let isFiltered = matrix != nil || converter != nil
    let numbers = isFiltered ? samples.map { $0.isFinite ? $0 : 0 } : samples
    let mixed = matrix?.apply(to: numbers) ?? numbers
    if let converter {
      converter.convert(mixed.span, into: &ready)
    } else {
      ready += mixed
    }
    dropLeading()
  }

  private func dropLeading() {
    let count = min(leading, ready.count / target.channelCount)
    ready.removeFirst(count * target.channelCount)
    leading -= count
  }

  /// Ends the stream, so that the rest of the output can be taken.
  public func finish() {
    guard !isFinished else { return }
    ready.removeFirst(readyStart)
    readyStart = 0
    converter?.finish(into: &ready)
    dropLeading()
    isFinished = true
    // The filter can round a half in the other direction.
    let missing = frameCount(of: pushed) - taken - ready.count / target.channelCount
    if missing > 0 {
      ready += Array(repeating: 0, count: missing * target.channelCount)
    }
  }

  /// Takes up to `frameCount` frames of output that are ready.
  ///
  /// - Complexity: O(n) in the number of samples.
  @specialized(where Sample == Float)
  @specialized(where Sample == Double)
  @specialized(where Sample == Int16)
  @specialized(where Sample == Int32)
  public func take<Sample: AudioSample>(_ type: Sample.Type, frameCount limit: Int) -> [Sample] {
    let (channels, frames) = (target.channelCount, max(0, min(limit, readyFrameCount)))
    let start = readyStart
    readyStart += frames * channels
    taken += frames
    let samples = (start..<readyStart).map { sample(ready[$0], as: type) }
    guard !target.isInterleaved, channels > 1 else { return samples }
    return (0..<samples.count).map { samples[$0 % frames * channels + $0 / frames] }
  }

  private func sample<Sample: AudioSample>(_ value: Double, as type: Sample.Type) -> Sample {
    guard let own = type.sampleType.integerBits else { return .nearest(to: value) }
    let bits = min(own, bits ?? own)
    guard bits < own || dither != .none else { return .nearest(to: value) }
    let added = dither == .none ? 0 : noise.next()
    let integer = Quantizer(bits: bits).integer(value, dither: added).integer
    return .nearest(to: Double(integer) / Double(1 << (bits - 1)))
  }

  /// The smallest number of frames that `pull` requests at a time.
  private static let leastRequest = 512

  /// Returns output, and requests the input that it needs.
  ///
  /// Each request is for at least 512 frames, even if fewer are missing, so that short pulls are
  /// not slower than pushing. The converter therefore reads in advance, by up to 511 frames and the
  /// frames that the filter needs. After the end of the stream, `input` is not called again.
  ///
  /// - Parameters:
  ///   - type: The type of the output samples.
  ///   - limit: The number of frames wanted. Fewer are returned only at the end of the stream.
  ///   - input: Returns samples of the input form. The argument is the number of frames requested;
  ///     the closure may return fewer or more. An empty array ends the stream.
  /// - Returns: The samples.
  /// - Complexity: O(n) in the number of samples.
  public func pull<Sample: AudioSample, Given: AudioSample>(
    _ type: Sample.Type, frameCount limit: Int, from input: (Int) throws -> [Given]
  ) rethrows -> [Sample] {
    while readyFrameCount < limit, !isFinished {
      let missing = sourceFrameCount(for: taken + limit) - pushed
      let samples = try input(max(Self.leastRequest, missing))
      if samples.isEmpty { finish() } else { push(samples.span) }
    }
    return take(type, frameCount: limit)
  }

  /// The largest delay of a rate conversion in output frames, measured by trying it.
  private static func latency(
    _ source: SampleRate, _ target: SampleRate, _ quality: SampleRateConverter.Quality
  ) throws(SoundFileError) -> Int {
    let converter = try SampleRateConverter(
      from: source, to: target, channelCount: 1, quality: quality)
    let step = [Double](repeating: 0, count: 32)
    var (output, lag, given) = ([Double](), 0, 0)
    for count in stride(from: step.count, through: 1 << 16, by: step.count) {
      converter.convert(step.span, into: &output)
      given += output.count
      output.removeAll(keepingCapacity: true)
      lag = max(lag, count * Int(target.hertz) / Int(source.hertz) - given)
    }
    // Between two steps the delay can be greater.
    return lag + step.count * Int(target.hertz) / Int(source.hertz) + 1
  }
}
