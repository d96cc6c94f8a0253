// SPDX-License-Identifier: Apache-2.0

/// A position in SMPTE time code: a signed number of subframes at a frame rate.
///
/// The number is not limited to a day; `label(_:)` can wrap it at 24 hours for display. At rates
/// such as 30000/1001, time code differs from real time: 01:00:00:00 at 29.97 is 3603.6 s after
/// 00:00:00:00.
public struct Timecode: Hashable, BitwiseCopyable, Sendable {
  /// The frame rate of the time code.
  public let rate: FrameRate
  /// The number of subframes per frame: usually 80, 100 or 4, and 1 for whole frames.
  public let subframeBase: UInt16
  /// The number of subframes from 00:00:00:00; negative before it.
  public let count: Int64

  /// Creates a position from the number of frames from 00:00:00:00.
  @inlinable
  public init(frame: Int64, rate: FrameRate) {
    self.rate = rate
    subframeBase = 1
    count = frame
  }

  /// Creates a position from the number of subframes from 00:00:00:00, or returns nil if `base` is
  /// zero.
  @inlinable
  public init?(subframes count: Int64, base: UInt16, rate: FrameRate) {
    guard base > 0 else { return nil }
    self.init(unchecked: count, base, rate)
  }

  @inlinable
  init(unchecked count: Int64, _ base: UInt16, _ rate: FrameRate) {
    self.rate = rate
    self.subframeBase = base
    self.count = count
  }

  /// Creates a position from a label.
  ///
  /// - Parameters:
  ///   - label: The label.
  ///   - rate: The frame rate of the label.
  ///   - subframeBase: The number of subframes per frame; 1 (the default) for whole frames.
  /// - Throws: `TimeError.fieldOutOfRange` if a field of the label is out of range;
  ///   `TimeError.droppedLabel` if drop-frame counting skips the label; `TimeError.overflow` if the
  ///   position does not fit in 64 bits.
  public init(
    label: TimecodeLabel, rate: FrameRate, subframeBase: UInt16 = 1
  ) throws(TimeError) {
    guard label.subframes < subframeBase else {
      throw .fieldOutOfRange(
        field: "subframes", value: "\(label.subframes)", range: "below \(subframeBase)")
    }
    var whole = label
    whole.isNegative = false
    let frame = try rate.frame(of: whole)
    let (scaled, past) = frame.multipliedReportingOverflow(by: Int64(subframeBase))
    let (count, over) = scaled.addingReportingOverflow(Int64(label.subframes))
    guard !past, !over else { throw .overflow("subframes") }
    self.init(unchecked: label.isNegative ? -count : count, subframeBase, rate)
  }

  /// The exact position in frames with fractions.
  public var frames: Ratio { Ratio(count, over: Int64(subframeBase)) }

  /// The exact real time from 00:00:00:00, in seconds.
  ///
  /// For example, 01:00:00;00 at 29.97 drop-frame is 8999991/2500 s, or 3599.9964 s.
  public var seconds: Ratio {
    let numerator = Int128(count) * Int128(rate.fpsDenominator)
    let denominator = Int128(subframeBase) * Int128(rate.fpsNumerator)
    let common = Int128(greatestCommonDivisor(numerator, denominator))
    return Ratio(lowestTerms: numerator / common, denominator / common)
  }

  /// Returns the position that is later by a number of frames, or earlier if the number is
  /// negative.
  ///
  /// - Throws: `TimeError.overflow` if the result does not fit in 64 bits.
  public func advanced(byFrames frames: Int64) throws(TimeError) -> Timecode {
    let (distance, past) = frames.multipliedReportingOverflow(by: Int64(subframeBase))
    let (sum, over) = count.addingReportingOverflow(distance)
    guard !past, !over else { throw .overflow("frames") }
    return Timecode(unchecked: sum, subframeBase, rate)
  }
}

extension Timecode {
  /// Returns the label of the position.
  ///
  /// - Parameter policy: The form of a label outside of one day.
  /// - Returns: The label, which always exists at the rate.
  /// - Throws: `TimeError.fieldOutOfRange` if the policy is `signed` and the position is 24 hours
  ///   or more from 00:00:00:00.
  @inlinable
  public func label(_ policy: DayPolicy) throws(TimeError) -> TimecodeLabel {
    let day = rate.framesPerDay &* Int64(subframeBase)
    if count >= 0 && count < day { return label(inDay: count) }
    return try labelOutsideDay(policy, day)
  }

  @inlinable
  func label(inDay count: Int64) -> TimecodeLabel {
    if subframeBase == 1 { return rate.label(ofFrameInDay: count) }
    let (frame, subframe) = count.quotientAndRemainder(dividingBy: Int64(subframeBase))
    var label = rate.label(ofFrameInDay: frame)
    label.subframes = UInt16(truncatingIfNeeded: subframe)
    return label
  }

  @usableFromInline
  func labelOutsideDay(_ policy: DayPolicy, _ day: Int64) throws(TimeError) -> TimecodeLabel {
    switch policy {
    case .wrap: return label(inDay: flooredDivision(count, by: day).remainder)
    case .clamp: return label(inDay: count < 0 ? 0 : day - 1)
    case .days: return signedLabel(day)
    case .signed:
      let label = signedLabel(day)
      guard label.days == 0 else {
        let text = rate.text(of: label, subframeBase: subframeBase)
        throw .fieldOutOfRange(field: "timecode", value: text, range: "less than 24 hours")
      }
      return label
    }
  }

  private func signedLabel(_ day: Int64) -> TimecodeLabel {
    let (days, rest) = count.magnitude.quotientAndRemainder(dividingBy: UInt64(day))
    var label = label(inDay: Int64(rest))
    label.days = Int64(days)
    label.isNegative = count < 0
    return label
  }
}

extension Timecode: CustomStringConvertible {
  /// The label, with a sign and days if they are needed.
  public var description: String {
    let label = signedLabel(rate.framesPerDay * Int64(subframeBase))
    return rate.text(of: label, subframeBase: subframeBase)
  }
}
