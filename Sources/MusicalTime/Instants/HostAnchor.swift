// SPDX-License-Identifier: Apache-2.0

/// An instant in host time and in media time, with the exact ratio of the two speeds.
///
/// The instant need not be a whole nanosecond or a whole tick. Each conversion between host time
/// and media time rounds only its result.
public struct HostAnchor: Hashable, BitwiseCopyable, Sendable {
  /// The last whole nanosecond of host time at or before the instant.
  public let host: HostTime
  /// The fraction of a nanosecond from `host` to the instant: at least 0, and less than 1.
  public let part: Ratio
  /// The media time of the instant, in seconds.
  public let seconds: Ratio
  /// The number of nanoseconds of host time per second of media time; above zero.
  public let nanosecondsPerSecond: Ratio

  /// Creates an anchor.
  ///
  /// - Parameters:
  ///   - nanoseconds: The host time of the instant, in nanoseconds with fractions.
  ///   - seconds: The media time of the instant, in seconds.
  ///   - nanosecondsPerSecond: The nanoseconds of host time per second of media time.
  /// - Throws: `TimeError.fieldOutOfRange` if the speed is zero or negative; `TimeError.overflow`
  ///   if the host time does not fit in 64 bits.
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

  /// Creates an anchor from the anchor of a sound device; frame 0 of the device is media time 0.
  ///
  /// - Throws: `TimeError.overflow` if a fraction does not fit in 128 bits.
  public init(_ anchor: SampleAnchor) throws(TimeError) {
    try self.init(
      nanoseconds: Ratio(anchor.host.nanoseconds),
      seconds: Ratio(anchor.sample.frames, over: Int64(anchor.rate.hertz)),
      nanosecondsPerSecond: 1_000_000_000 / anchor.rateScalar)
  }

  /// Creates an anchor from a timeline that maps ticks to host time.
  ///
  /// - Parameters:
  ///   - line: The timeline. The result does not depend on its play rate.
  ///   - map: The tempo map of the ticks.
  ///   - tick: A tick for which the timeline is valid.
  /// - Throws: `TimeError.overflow` if a fraction does not fit in 128 bits.
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

  /// Converts a host time in nanoseconds to the exact media time in seconds.
  ///
  /// - Throws: `TimeError.overflow` if the fraction does not fit in 128 bits.
  public func seconds(atNanoseconds nanoseconds: Ratio) throws(TimeError) -> Ratio {
    let elapsed = try nanoseconds - Ratio(host.nanoseconds) - part
    return try elapsed / nanosecondsPerSecond + seconds
  }

  /// Converts a media time in seconds to host time.
  ///
  /// - Throws: `TimeError.inexact`; `TimeError.overflow` if a fraction does not fit in 128 bits, or
  ///   the host time in 64 bits.
  public func hostTime(
    atSeconds time: Ratio, rounding: Rounding
  ) throws(TimeError) -> Converted<HostTime> {
    // The whole nanoseconds are added last, so that the fractions have all 128 bits.
    let elapsed = try (time - seconds) * nanosecondsPerSecond + part
    let rounded = try elapsed.rounded(rounding, unit: "nanoseconds")
    let (sum, past) = rounded.value.addingReportingOverflow(host.nanoseconds)
    guard !past else { throw .overflow("nanoseconds") }
    return rounded.map { _ in HostTime(nanoseconds: sum) }
  }
}
