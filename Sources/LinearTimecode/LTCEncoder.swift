// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Generates the sound of linear time code.
///
/// Frame n begins at sample ⌈n · sample rate / frame rate⌉, calculated exactly, so that 29.97 does
/// not drift in a day. The 80 bits of a frame have equal lengths. The sound crosses zero at the
/// start of each bit, and upwards at the start of each frame. The rise time (10 to 90 %) is 40 µs,
/// or one sample if that is longer. Samples can be generated in pieces of any length, with the same
/// result.
///
/// In reverse, the sound is that of a tape played backwards: frame n is n labels earlier than the
/// first, and its bits are sent from the last to the first.
///
/// Source: SMPTE ST 12-1, linear timecode.
public struct LTCEncoder: Sendable {
  /// The frame rate of the labels.
  public let rate: FrameRate
  /// The sample rate in hertz.
  public let sampleRate: SampleRate
  /// The level of the flat parts of the sound as a factor, 0…1; 1/8 (−18 dBFS) by default.
  public var amplitude: Float = 0.125
  /// The user bits of the frames that begin after a change; 0 by default.
  public var userBits: UInt32 = 0
  /// The binary group flags of the frames that begin after a change (see `LTCFrame`); 0 by default.
  public var binaryGroupFlags: UInt8 = 0

  private let firstInDay: Int64
  private let isReversed: Bool
  private var wave: LTCWave
  private var begun: Int64 = 0

  /// Creates an encoder.
  ///
  /// - Parameters:
  ///   - first: The label of the first frame; subframes are ignored. After 24 hours, labels start
  ///     again at 00:00:00:00.
  ///   - sampleRate: The sample rate in hertz.
  ///   - isReversed: True if labels run backwards; false by default.
  /// - Throws: `LTCError.tooFast` above 30 frames per second; `LTCError.tooFewSamples` below 160
  ///   samples per frame.
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

  /// Returns the sample at which a frame begins, counted from the first frame.
  ///
  /// - Parameter frame: The number of the frame, from 0.
  /// - Returns: The number of the sample, from 0; valid for frames in the first 100 years.
  public func start(ofFrame frame: Int64) -> SampleTime {
    let samples = Int128(frame) * Int128(sampleRate.hertz) * Int128(rate.fpsDenominator)
    let fps = Int128(rate.fpsNumerator)
    return SampleTime(frames: Int64(truncatingIfNeeded: (samples + fps - 1) / fps))
  }

  /// The number of samples that must follow the last frame, so that a decoder can detect its end.
  ///
  /// These samples are the beginning of the next frame.
  public var closingSamples: Int { max(2, Int(start(ofFrame: 1).frames) / 320) }

  /// Generates the next samples, and appends them to an array.
  ///
  /// - Parameters:
  ///   - count: The number of samples.
  ///   - samples: The array to which the samples are appended. Each is in −`amplitude`…`amplitude`.
  public mutating func append(_ count: Int, to samples: inout [Float]) {
    samples.reserveCapacity(samples.count + count)
    for _ in 0..<count { samples.append(next()) }
  }

  /// Generates and returns the next sample.
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
  /// The number of the current frame, from 00:00:00:00.
  fileprivate var wholeFrame: Int64 {
    let base = Int64(subframeBase)
    return count / base - (count % base < 0 ? 1 : 0)
  }
}
