// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Turns a stream of samples into another form: rate, channels by their loudspeakers, interleaved or
/// not, bits with dither.
///
/// Samples are pushed in, in any number, and taken out as they are ready; or frames are pulled, and
/// the converter asks for what it needs. How a stream is cut changes nothing of what comes out.
///
/// Frames are counted exactly: n frames of a stream become n times the ratio of the rates, to the
/// nearest (a half upwards), in all, whatever the pieces (`frameCount(of:)`).
///
/// What is not interleaved has its channels one behind the other, each of as many frames as the whole
/// piece.
///
/// - Note: Not real-time safe. One thread at a time.
public final class SoundConverter {
  /// The form of samples in memory.
  public struct Form: Hashable, Sendable {
    /// Frames a second.
    public var rate: SampleRate
    /// Which loudspeaker each sample of a frame is for.
    public var layout: ChannelLayout
    /// Whether the samples of a frame lie together; true by default.
    public var isInterleaved: Bool

    /// Creates a form.
    public init(rate: SampleRate, layout: ChannelLayout, isInterleaved: Bool = true) {
      (self.rate, self.layout, self.isInterleaved) = (rate, layout, isInterleaved)
    }

    /// The samples in a frame.
    public var channelCount: Int { layout.roles.count }
  }

  /// What a change of rate takes for the frames before the first, and when it gives its own.
  public enum Priming: Hashable, Sendable {
    /// Silence lies before the first frame, whose place is that of the first that comes out: what
    /// comes out waits for the frames that its filter needs.
    case silence
    /// So many frames that are pushed first lie before the sound: the filter hears them, and what
    /// comes out begins with the first frame at or behind their end.
    case leading(frameCount: Int)
    /// Frames come out as soon as those of their number are in, and so later by `latency`: silence
    /// first, and the last ones only where as much is pushed behind them.
    case late
  }

  /// The form of what is pushed.
  public let source: Form
  /// The form of what is taken.
  public let target: Form
  /// What lies before the first frame.
  public let priming: Priming
  /// Frames of the target by which the sound is late; 0 but for `Priming.late`.
  public let latency: Int
  /// The bits of integers that are taken; nil for all of their type's.
  private let bits: Int?
  private let dither: Dither
  private let quality: SampleRateConverter.Quality

  private let matrix: ChannelMatrix?
  private var converter: SampleRateConverter?
  private var noise = DitherNoise()
  /// Frames that were pushed, and those that were taken.
  private var pushed = 0
  private var taken = 0
  /// Interleaved samples of the target, of which some were taken.
  private var ready: [Double] = []
  private var readyStart = 0
  /// Frames of the target that are to be left out.
  private var leading = 0
  private var isFinished = false

  /// Creates a converter at the beginning of a stream.
  ///
  /// - Parameters:
  ///   - source: the form of what is pushed; 1…1024 channels.
  ///   - target: the form of what is taken.
  ///   - quality: how exact a change of rate is.
  ///   - priming: what lies before the first frame, of a change of rate.
  ///   - bits: the bits of integers that are taken, 2…32, which are the upper ones of their type; nil
  ///     for all of them.
  ///   - dither: the noise that is added before samples are rounded to integers.
  /// - Throws: `SoundFileError.impossibleRateChange`, `.converterMissing`.
  /// - Complexity: O(1); for `Priming.late` as much as a second's sound.
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

  /// Forgets all that was pushed: what is pushed next begins a stream, as in a new converter.
  ///
  /// - Throws: as `init`.
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

  /// Frames of the target in the time of so many of the source's.
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
  /// The frames that a stream of so many gives when it is finished.
  public func frameCount(of sourceFrameCount: Int) -> Int {
    max(0, scaled(sourceFrameCount, .toNearestOrAwayFromZero) - leadingCount)
  }

  /// The fewest frames of a stream that give so many, or more, when it is finished.
  public func sourceFrameCount(for frameCount: Int) -> Int {
    guard frameCount > 0 else { return 0 }
    let (from, to) = (Int128(source.rate.hertz), Int128(target.rate.hertz))
    // The least n with ⌊(2·n·to + from) / (2·from)⌋ ≥ all.
    let all = Int128(frameCount + leadingCount)
    return Int((2 * from * all - from + 2 * to - 1) / (2 * to))
  }

  private var leadingCount: Int {
    guard case .leading(let count) = priming else { return 0 }
    return scaled(count, .up)
  }

  /// The frames that can be taken now.
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

  /// Pushes samples of the source's form.
  ///
  /// What is no number is silence where the rate or the channels change.
  ///
  /// - Precondition: the count is a whole number of frames, and the stream was not finished.
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

  /// Ends the stream: what the filter held back can be taken then.
  public func finish() {
    guard !isFinished else { return }
    ready.removeFirst(readyStart)
    readyStart = 0
    converter?.finish(into: &ready)
    dropLeading()
    isFinished = true
    // The filter may round a half the other way.
    let missing = frameCount(of: pushed) - taken - ready.count / target.channelCount
    if missing > 0 {
      ready += Array(repeating: 0, count: missing * target.channelCount)
    }
  }

  /// Takes samples of the target's form that are ready, up to a number of frames.
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

  /// Frames that `pull` asks a source for at a time, at least.
  private static let leastRequest = 512

  /// Pulls samples of the target's form.
  ///
  /// The source is asked for the frames that are missing, and for at least 512, so that short
  /// pulls cost no more than pushing: up to 511 frames and those that the filter needs are taken
  /// ahead. It is not asked again after its end.
  ///
  /// - Parameters:
  ///   - type: the type of what is taken.
  ///   - limit: frames that are wanted; fewer come at the end of the stream only.
  ///   - input: gives frames of the source's form, any number up to the one that it is asked for,
  ///     or more; an empty answer ends the stream.
  /// - Returns: the samples.
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

  /// The most frames that a change of rate lags behind, found by trying.
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
    // Between two steps it lags further.
    return lag + step.count * Int(target.hertz) / Int(source.hertz) + 1
  }
}
