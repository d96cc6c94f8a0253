// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Makes the sound of linear timecode.
///
/// The nth frame begins at sample ⌈n · sample rate / frame rate⌉ by the exact ratio, so that a day
/// of 29.97 does not drift; its 80 bits have equal lengths. Where a bit begins the sound passes
/// through zero, upwards at the beginning of every frame, and rises or falls in 40 µs (10 to
/// 90 %), or in a sample where that is longer. The same arguments give the same samples, however
/// they are cut into pieces.
///
/// Backwards it is the sound of the same tape run backwards: the nth frame is n labels earlier,
/// and its bits come from the last to the first.
///
/// Source: SMPTE ST 12-1, linear timecode.
public struct LTCEncoder: Sendable {
  /// The rate of the labels.
  public let rate: FrameRate
  /// Samples a second.
  public let sampleRate: SampleRate
  /// The level of the sound's flat parts as a factor, 0…1; 1/8, −18 dBFS, by default.
  public var amplitude: Float = 0.125
  /// The user's bits of frames that are not begun; 0 by default.
  public var userBits: UInt32 = 0
  /// What the user's bits are, of frames that are not begun; see `LTCFrame`; 0 by default.
  public var binaryGroupFlags: UInt8 = 0

  private let firstInDay: Int64
  private let isReversed: Bool
  private var wave: LTCWave
  private var begun: Int64 = 0

  /// Creates an encoder.
  ///
  /// - Parameters:
  ///   - first: The label of the first frame; what is less than a frame is left out, and past
  ///     24 hours labels begin again.
  ///   - sampleRate: Samples a second.
  ///   - isReversed: Whether labels go backwards.
  /// - Throws: `LTCError.tooFast` above 30 frames a second; `LTCError.tooFewSamples` below 160
  ///   samples a frame.
  public init(
    from first: Timecode, sampleRate: SampleRate, isReversed: Bool = false
  ) throws(LTCError) {
    rate = first.rate
    guard rate.nominal <= 30 else { throw .tooFast(rate) }
    guard Int64(sampleRate.hertz) * rate.fpsDenominator >= 160 * rate.fpsNumerator else {
      throw .tooFewSamples(sampleRate, rate)
    }
    self.sampleRate = sampleRate
    let day = rate.framesPerDay
    firstInDay = (first.wholeFrame % day + day) % day
    self.isReversed = isReversed
    wave = LTCWave(sampleRate: sampleRate)
  }

  /// The sample at which a frame begins, counted from the first one.
  ///
  /// - Parameter frame: Frames since the first, from 0.
  /// - Returns: The sample, from 0; `frame` beyond 100 years wraps.
  public func start(ofFrame frame: Int64) -> SampleTime {
    let samples = Int128(frame) * Int128(sampleRate.hertz) * Int128(rate.fpsDenominator)
    let fps = Int128(rate.fpsNumerator)
    return SampleTime(frames: Int64(truncatingIfNeeded: (samples + fps - 1) / fps))
  }

  /// Samples that a sound needs after its last frame, for a reader to see where that ended.
  ///
  /// They are the beginning of the next frame.
  public var closingSamples: Int { max(2, Int(start(ofFrame: 1).frames) / 320) }

  /// Appends the next samples.
  ///
  /// - Parameters:
  ///   - count: How many; at most as many as there is memory for.
  ///   - samples: Where to, −`amplitude`…`amplitude`.
  public mutating func append(_ count: Int, to samples: inout [Float]) {
    samples.reserveCapacity(samples.count + count)
    for _ in 0..<count { samples.append(next()) }
  }

  /// The next sample.
  ///
  /// - Returns: The sample, −`amplitude`…`amplitude`.
  public mutating func next() -> Float {
    if wave.needsFrame { beginFrame() }
    return wave.next() * amplitude
  }

  private mutating func beginFrame() {
    let bits = LTCBits(frame(begun), countsTo25: rate.nominal == 25)
    wave.append(
      bits, isReversed: isReversed, from: start(ofFrame: begun), to: start(ofFrame: begun + 1))
    begun += 1
  }

  private func frame(_ number: Int64) -> LTCFrame {
    let frame = firstInDay + (isReversed ? -1 : 1) * (number % rate.framesPerDay)
    let inDay = (frame + rate.framesPerDay) % rate.framesPerDay
    var said = LTCFrame(
      label: rate.label(ofFrameInDay: inDay), isDrop: rate.isDrop, userBits: userBits)
    said.binaryGroupFlags = binaryGroupFlags
    return said
  }
}

extension Timecode {
  /// The frame in which the position is, counted from 00:00:00:00.
  fileprivate var wholeFrame: Int64 {
    let base = Int64(subframeBase)
    return count / base - (count % base < 0 ? 1 : 0)
  }
}
