// SPDX-License-Identifier: Apache-2.0

/// An instant in host time and in sample time, with the measured speed of a sound device.
///
/// The computer and the device have different quartz clocks, so their speeds differ slightly.
/// `rateScalar` is the actual sample rate of the device divided by its nominal rate, for example
/// 1.000021 if the device is 21 ppm fast.
public struct SampleAnchor: Hashable, BitwiseCopyable, Sendable {
  /// The host time of the instant.
  public var host: HostTime
  /// The sample frame of the instant.
  public var sample: SampleTime
  /// The nominal sample rate of the device.
  public var rate: SampleRate
  /// The actual sample rate of the device divided by the nominal rate; above zero.
  public let rateScalar: Ratio

  /// Creates an anchor from its values.
  ///
  /// - Throws: `TimeError.fieldOutOfRange` if the scalar is zero or negative.
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

  /// Converts a host time to the exact sample position, in frames with fractions.
  ///
  /// - Throws: `TimeError.overflow` if the fraction does not fit in 128 bits.
  public func samples(at time: HostTime) throws(TimeError) -> Ratio {
    let elapsed = Int128(time.nanoseconds) - Int128(host.nanoseconds)
    let nominal = try Ratio(exactly: elapsed * Int128(rate.hertz), over: 1_000_000_000)
    return try nominal * rateScalar + Ratio(sample.frames)
  }

  /// Converts a host time to a sample frame.
  ///
  /// - Throws: `TimeError.inexact` if the rounding is `exact` and the result is not a whole number;
  ///   `TimeError.overflow` if the result is out of range.
  public func sampleTime(
    at time: HostTime, rounding: Rounding
  ) throws(TimeError) -> Converted<SampleTime> {
    try samples(at: time).rounded(rounding, unit: "sample frames")
      .map(SampleTime.init(frames:))
  }

  /// Converts a sample frame to host time.
  ///
  /// - Throws: `TimeError.inexact` if the rounding is `exact` and the result is not a whole number;
  ///   `TimeError.overflow` if the result is out of range.
  public func hostTime(
    at time: SampleTime, rounding: Rounding
  ) throws(TimeError) -> Converted<HostTime> {
    let elapsed = Int128(time.frames) - Int128(sample.frames)
    let nominal = try Ratio(exactly: elapsed * 1_000_000_000, over: Int128(rate.hertz))
    let exact = try nominal / rateScalar + Ratio(host.nanoseconds)
    return try exact.rounded(rounding, unit: "nanoseconds").map(HostTime.init(nanoseconds:))
  }

  /// Returns the timeline that maps sample frames to host time according to this anchor.
  ///
  /// - Throws: `TimeError.overflow` if the nanoseconds per frame do not fit in a fraction of 64-bit
  ///   integers.
  public func timeline() throws(TimeError) -> Timeline<SampleTime, HostTime> {
    let slope = try Ratio(1_000_000_000, over: Int64(rate.hertz)) / rateScalar
    return try Timeline(countOrigin: sample.frames, origin: host, nanosecondsPerCount: slope)
  }
}
