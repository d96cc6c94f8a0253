// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import ClockService
internal import CoreAudioTypes
internal import MusicalTime

/// Times of the host and of the device, which are defined while the clock is stopped, too.
extension ClockTimes {
  /// Converts between host time, absolute seconds and samples.
  ///
  /// - Returns: the time, or nil if one of the formats is a format of media time.
  /// - Throws: `ClockFailure` for samples if the clock does not have a device, or for a time out of
  ///   range.
  func absolute(_ time: CAClockTime, in format: CAClockTimeFormat) throws -> CAClockTime? {
    let formats: [CAClockTimeFormat] = [.hostTime, .absoluteSeconds, .samples]
    guard formats.contains(time.format), formats.contains(format) else { return nil }
    if time.format == format, format != .samples { return time }
    if time.format == .samples {
      let frame = unsafe try Self.plausible(time.time.samples)
      return try format == .samples
        ? samples(frame) : Self.host(device().hostTime(ofFrame: frame), in: format)
    }
    return try self.time(at: host(of: time), in: format)
  }

  /// The current time in a format of host time or samples, or nil for a format of media time.
  ///
  /// - Throws: `ClockFailure` for samples if the clock does not have a device.
  func present(in format: CAClockTimeFormat) throws -> CAClockTime? {
    guard format == .samples else { return Self.machineTime(in: format) }
    return try time(at: MonotonicClock.now, in: format)
  }

  /// A host time, converted to a format of host time or samples.
  private func time(at host: HostTime, in format: CAClockTimeFormat) throws -> CAClockTime {
    try format == .samples ? samples(device().frame(at: host)) : Self.host(host, in: format)
  }

  /// The media time at a sample, in seconds.
  ///
  /// - Throws: `ClockFailure` if the clock is stopped or does not have a device.
  func mediaSeconds(atSample sample: Double) throws -> Ratio {
    guard snapshot.isRunning, let ticks = try snapshot.ticks(atFrame: Self.plausible(sample)) else {
      throw ClockFailure(kCAClock_InvalidUnitError)
    }
    return try snapshot.clock.timeContext.seconds(of: .ticks(ticks))
  }

  /// The sample at a media time in seconds.
  ///
  /// - Throws: `ClockFailure` if the clock is stopped or does not have a device.
  func sample(atMediaSeconds seconds: Ratio) throws -> Double {
    guard let frame = try snapshot.frame(atSeconds: seconds, at: MonotonicClock.now) else {
      throw ClockFailure(kCAClock_InvalidUnitError)
    }
    return frame
  }

  func samples(_ frame: Double) -> CAClockTime {
    CAClockTime(format: .samples, reserved: 0, time: .init(samples: frame))
  }

  private func device() throws(ClockFailure) -> DevicePace {
    guard let pace = snapshot.pace else { throw ClockFailure(kCAClock_InvalidUnitError) }
    return pace
  }

  private func host(of time: CAClockTime) throws(ClockFailure) -> HostTime {
    if time.format == .hostTime {
      return HostTime(nanoseconds: unsafe Int64(clamping: time.time.hostTime))
    }
    let nanoseconds = unsafe try Self.plausible(time.time.seconds * 1e9, below: 0x1p63)
    return HostTime(nanoseconds: Int64(nanoseconds.rounded()))
  }

  private static func host(_ host: HostTime, in format: CAClockTimeFormat) -> CAClockTime {
    let value: CAClockTime.__Unnamed_union_time =
      format == .hostTime
      ? .init(hostTime: UInt64(clamping: host.nanoseconds))
      : .init(seconds: Double(host.nanoseconds) / 1e9)
    return CAClockTime(format: format, reserved: 0, time: value)
  }

  /// Returns the number if it is in range.
  ///
  /// - Throws: `ClockFailure` if it is not a number or out of range.
  private static func plausible(
    _ number: Double, below limit: Double = 0x1p53
  ) throws(ClockFailure) -> Double {
    guard number.magnitude < limit else { throw ClockFailure(kCAClock_InvalidTimeFormatError) }
    return number
  }
}
