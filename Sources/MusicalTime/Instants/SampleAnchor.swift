// SPDX-License-Identifier: Apache-2.0

/// A moment at which host time and sample time are both known, and how fast the device really
/// runs.
///
/// Host clock and sound card are different quartzes: `rateScalar` is the device's true rate over
/// its nominal one, 1.000021 for a card 21 ppm fast.
public struct SampleAnchor: Hashable, BitwiseCopyable, Sendable {
  /// The host time of the moment.
  public var host: HostTime
  /// The sample frame of the moment.
  public var sample: SampleTime
  /// The device's nominal rate.
  public var rate: SampleRate
  /// The true rate over the nominal one; above zero.
  public let rateScalar: Ratio

  /// Creates an anchor.
  ///
  /// - Throws: `TimeError.fieldOutOfRange` for a scalar at or below zero.
  public init(
    host: HostTime, sample: SampleTime, rate: SampleRate, rateScalar: Ratio = 1
  ) throws(TimeError) {
    guard rateScalar > 0 else {
      throw .fieldOutOfRange(field: "rate scalar", value: "\(rateScalar)", range: "above 0")
    }
    self.host = host
    self.sample = sample
    self.rate = rate
    self.rateScalar = rateScalar
  }

  /// The sample position of a host time, in frames and their fractions, exactly.
  ///
  /// - Throws: `TimeError.overflow` where the fraction does not fit 128 bits.
  public func samples(at time: HostTime) throws(TimeError) -> Ratio {
    let elapsed = Int128(time.nanoseconds) - Int128(host.nanoseconds)
    let nominal = try Ratio(exactly: elapsed * Int128(rate.hertz), over: 1_000_000_000)
    return try nominal * rateScalar + Ratio(sample.frames)
  }

  /// The sample frame at a host time.
  ///
  /// - Throws: `TimeError.inexact`, `TimeError.overflow`.
  public func sampleTime(
    at time: HostTime, rounding: Rounding
  ) throws(TimeError) -> Converted<SampleTime> {
    try samples(at: time).rounded(rounding, unit: "sample frames")
      .map(SampleTime.init(frames:))
  }

  /// The host time of a sample frame.
  ///
  /// - Throws: `TimeError.inexact`, `TimeError.overflow`.
  public func hostTime(
    at time: SampleTime, rounding: Rounding
  ) throws(TimeError) -> Converted<HostTime> {
    let elapsed = Int128(time.frames) - Int128(sample.frames)
    let nominal = try Ratio(exactly: elapsed * 1_000_000_000, over: Int128(rate.hertz))
    let exact = try nominal / rateScalar + Ratio(host.nanoseconds)
    return try exact.rounded(rounding, unit: "nanoseconds").map(HostTime.init(nanoseconds:))
  }

  /// The same relation as a straight line.
  ///
  /// - Throws: `TimeError.overflow` for a scalar whose fraction does not fit 64 bits beside the
  ///   rate.
  public func timeline() throws(TimeError) -> Timeline<SampleTime, HostTime> {
    let slope = try Ratio(1_000_000_000, over: Int64(rate.hertz)) / rateScalar
    return try Timeline(countOrigin: sample.frames, origin: host, nanosecondsPerCount: slope)
  }
}
