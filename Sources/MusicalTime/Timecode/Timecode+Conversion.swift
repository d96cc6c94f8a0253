// SPDX-License-Identifier: Apache-2.0

extension Timecode {
  /// Converts a real time, in seconds from 00:00:00:00, to a time code.
  ///
  /// - Parameters:
  ///   - seconds: The real time.
  ///   - rate: The frame rate of the time code.
  ///   - subframeBase: The number of subframes per frame; 1 (the default) for whole frames.
  ///   - rounding: The rounding to a subframe.
  /// - Returns: The time code, with the residue in subframes.
  /// - Throws: `TimeError.inexact`, `TimeError.overflow`; `TimeError.fieldOutOfRange` if
  ///   `subframeBase` is zero.
  public static func at(
    seconds: Ratio, rate: FrameRate, subframeBase: UInt16 = 1, rounding: Rounding
  ) throws(TimeError) -> Converted<Timecode> {
    try checkBase(subframeBase)
    let exact = try seconds * rate.framesPerSecond * Ratio(Int64(subframeBase))
    return try exact.rounded(rounding, unit: unit(subframeBase))
      .map { Timecode(unchecked: $0, subframeBase, rate) }
  }

  /// Converts a sample frame to a time code; sample 0 is at 00:00:00:00.
  ///
  /// With the rounding `floor`, the result is the video frame that contains the sample. For the
  /// inverse, use `ceil`, which returns the first sample of that frame.
  ///
  /// - Parameters:
  ///   - time: The sample frame.
  ///   - sampleRate: The sample rate.
  ///   - rate: The frame rate of the time code.
  ///   - subframeBase: The number of subframes per frame; 1 (the default) for whole frames.
  ///   - rounding: The rounding to a subframe.
  /// - Returns: The time code, with the residue in subframes.
  /// - Throws: `TimeError.inexact`, `TimeError.overflow`; `TimeError.fieldOutOfRange` if
  ///   `subframeBase` is zero.
  @inlinable
  public static func at(
    _ time: SampleTime, sampleRate: SampleRate, rate: FrameRate, subframeBase: UInt16 = 1,
    rounding: Rounding
  ) throws(TimeError) -> Converted<Timecode> {
    try at(
      time.frames, perSecond: Int64(sampleRate.hertz), rate: rate, subframeBase: subframeBase,
      rounding: rounding)
  }

  @inlinable
  static func at(
    _ count: Int64, perSecond: Int64, rate: FrameRate, subframeBase base: UInt16,
    rounding: Rounding
  ) throws(TimeError) -> Converted<Timecode> {
    if base == 0 { try checkBase(base) }
    // At most 120 000 · 65 535 and 4·10⁹ · 1001: both fit.
    let multiplier = rate.fpsNumerator &* Int64(base)
    let divisor = rate.fpsDenominator &* perSecond
    return try scale(count, by: multiplier, over: divisor, rounding, unit: unit(base))
      .map { Timecode(unchecked: $0, base, rate) }
  }

  @usableFromInline
  static func checkBase(_ base: UInt16) throws(TimeError) {
    guard base > 0 else {
      throw .fieldOutOfRange(field: "subframe base", value: "0", range: "1…65535")
    }
  }

  @usableFromInline
  static func unit(_ base: UInt16) -> String { base == 1 ? "frames" : "subframes" }
}

extension Timecode {
  /// Converts the time code to a sample frame; 00:00:00:00 is at sample 0.
  ///
  /// - Throws: `TimeError.inexact` if the rounding is `exact` and the result is not a whole number;
  ///   `TimeError.overflow` if the result is out of range.
  public func sampleTime(
    rate sampleRate: SampleRate, rounding: Rounding
  ) throws(TimeError) -> Converted<SampleTime> {
    try scaled(to: Int64(sampleRate.hertz), rounding, unit: "sample frames")
      .map(SampleTime.init(frames:))
  }

  private func scaled(
    to perSecond: Int64, _ rounding: Rounding, unit: String
  ) throws(TimeError) -> Converted<Int64> {
    try scale(
      count, by: perSecond * rate.fpsDenominator, over: rate.fpsNumerator * Int64(subframeBase),
      rounding, unit: unit)
  }

  /// Converts the time code to another frame rate, at the same real time.
  ///
  /// For example, 01:00:00;00 at 29.97 drop-frame is 00:59:56:12 at 29.97 without drop-frame.
  ///
  /// - Throws: `TimeError.inexact` if the rounding is `exact` and the result is not a whole number;
  ///   `TimeError.overflow` if the result is out of range.
  public func atEqualTime(
    rate other: FrameRate, rounding: Rounding
  ) throws(TimeError) -> Converted<Timecode> {
    try Timecode.at(seconds: seconds, rate: other, subframeBase: subframeBase, rounding: rounding)
  }

  /// Returns the real time in seconds from this time code to another one; negative if that is
  /// earlier.
  ///
  /// - Throws: `TimeError.overflow` if the fraction does not fit in 128 bits.
  public func seconds(of position: Timecode) throws(TimeError) -> Ratio {
    try position.seconds - seconds
  }
}
