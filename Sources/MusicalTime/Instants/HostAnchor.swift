// SPDX-License-Identifier: Apache-2.0

/// A moment at which host time and media time are both known, and how fast they pass beside one
/// another, exactly.
///
/// The moment may lie between two nanoseconds and between two ticks: what is asked of it is
/// rounded once, in the answer.
public struct HostAnchor: Hashable, BitwiseCopyable, Sendable {
  /// The last whole nanosecond of host time at or before the moment.
  public let host: HostTime
  /// What the moment is later, in nanoseconds: 0 up to, not including, 1.
  public let part: Ratio
  /// The media time of the moment, in seconds.
  public let seconds: Ratio
  /// Host nanoseconds to a second of media time; above zero.
  public let nanosecondsPerSecond: Ratio

  /// Creates an anchor.
  ///
  /// - Parameters:
  ///   - nanoseconds: The host time of the moment, in nanoseconds and their fractions.
  ///   - seconds: The media time of the moment.
  ///   - nanosecondsPerSecond: Host nanoseconds to a second of media time.
  /// - Throws: `TimeError.fieldOutOfRange` for a rate at or below zero; `TimeError.overflow` for
  ///   a host time past 64 bits.
  public init(
    nanoseconds: Ratio, seconds: Ratio, nanosecondsPerSecond: Ratio
  ) throws(TimeError) {
    guard nanosecondsPerSecond > 0 else {
      throw .fieldOutOfRange(
        field: "nanoseconds per second", value: "\(nanosecondsPerSecond)", range: "above 0")
    }
    let whole = try nanoseconds.rounded(.floor, unit: "nanoseconds")
    host = HostTime(nanoseconds: whole.value)
    part = whole.residue
    self.seconds = seconds
    self.nanosecondsPerSecond = nanosecondsPerSecond
  }

  /// Creates the anchor that a sound card's gives.
  ///
  /// - Throws: `TimeError.overflow` for a scalar whose fraction does not fit.
  public init(_ anchor: SampleAnchor) throws(TimeError) {
    try self.init(
      nanoseconds: Ratio(anchor.host.nanoseconds),
      seconds: Ratio(anchor.sample.frames, over: Int64(anchor.rate.hertz)),
      nanosecondsPerSecond: 1_000_000_000 / anchor.rateScalar)
  }

  /// Creates the anchor that a line of ticks gives in a map, where that line holds.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - map: The map in which its ticks count; what it says of speed does not matter.
  ///   - tick: A tick at which the line holds.
  /// - Throws: `TimeError.overflow` for fractions that do not fit 128 bits.
  /// - Complexity: O(log n) in the number of tempo changes.
  public init(_ line: Timeline<Tick, HostTime>, in map: TempoMap, at tick: Tick) throws(TimeError) {
    let written = try map.mediaLine(at: tick)
    let speed =
      try Ratio(line.numerator, over: line.denominator)
      / Ratio(written.numerator, over: written.denominator)
    try self.init(
      nanoseconds: line.nanoseconds(atPosition: Ratio(tick.value)),
      seconds: map.seconds(at: tick), nanosecondsPerSecond: speed * 1_000_000_000)
  }

  /// The media time in seconds of a host time in nanoseconds, exactly.
  ///
  /// - Throws: `TimeError.overflow` where the fraction does not fit 128 bits.
  public func seconds(atNanoseconds nanoseconds: Ratio) throws(TimeError) -> Ratio {
    let elapsed = try nanoseconds - Ratio(host.nanoseconds) - part
    return try elapsed / nanosecondsPerSecond + seconds
  }

  /// The host time of a media time in seconds.
  ///
  /// - Throws: `TimeError.inexact`; `TimeError.overflow` where the fraction does not fit 128 bits,
  ///   or the time 64.
  public func hostTime(
    atSeconds time: Ratio, rounding: Rounding
  ) throws(TimeError) -> Converted<HostTime> {
    // The whole nanoseconds are set aside: they need no room beside the fractions.
    let elapsed = try (time - seconds) * nanosecondsPerSecond + part
    let rounded = try elapsed.rounded(rounding, unit: "nanoseconds")
    let (sum, past) = rounded.value.addingReportingOverflow(host.nanoseconds)
    guard !past else { throw .overflow("nanoseconds") }
    return rounded.map { _ in HostTime(nanoseconds: sum) }
  }
}
