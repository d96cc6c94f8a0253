// SPDX-License-Identifier: Apache-2.0

/// Reference time that follows the frames of a sound device, for a transport that does not play
/// sound to it.
///
/// One second of reference time is as many frames as the nominal sample rate states, even if the
/// device is faster or slower than host time.
public struct DevicePace: BitwiseCopyable, Sendable {
  /// The relation of a device's frames to host time, as an output or input reports it.
  public struct Source: BitwiseCopyable, Sendable {
    /// The relation of the frames to host time.
    public let clock: SampleClock
    /// The nominal sample rate of the device.
    public let rate: SampleRate
    /// A number that identifies the stream whose frames are counted.
    public let stream: Int

    /// Creates a source from the clock of a stream.
    ///
    /// - Parameters:
    ///   - clock: The relation of the frames to host time.
    ///   - rate: The nominal sample rate of the device.
    ///   - stream: A number that identifies the stream; it differs from that of any other stream.
    public init(_ clock: SampleClock, rate: SampleRate, stream: Int) {
      (self.clock, self.rate, self.stream) = (clock, rate, stream)
    }
  }

  /// The relation of the device's frames to host time.
  public let source: Source
  /// The frame and the reference time of one instant.
  let anchor: (frame: Int64, time: ReferenceTime)

  /// Converts a host time to a frame, with its fraction.
  public func frame(at host: HostTime) -> Double {
    let line = source.clock.timeline
    let next = line.firstCount(atOrAfter: host)
    let rest = line.timeRoundedUp(atCount: next).nanoseconds(since: host)
    return Double(next) - Double(rest) / line.nanosecondsPerCount
  }

  /// Converts a frame to host time, accurate to less than a nanosecond.
  ///
  /// - Parameter frame: The frame, with its fraction.
  /// - Returns: The time, limited to the range of host time.
  public func hostTime(ofFrame frame: Double) -> HostTime {
    let line = source.clock.timeline
    let whole = Int64(clamping: frame)
    let rest = (frame - Double(whole)) * line.nanosecondsPerCount
    return line.timeRoundedUp(atCount: whole).advanced(saturating: Int64(clamping: rest))
  }

  /// Converts a reference time to a frame, with its fraction.
  public func frame(at time: ReferenceTime) -> Double {
    Double(anchor.frame) + Double(time.nanoseconds(since: anchor.time))
      * Double(source.rate.hertz) / 1e9
  }

  /// Converts a frame to reference time, to the nearest nanosecond.
  ///
  /// - Parameter frame: The frame, with its fraction.
  /// - Returns: The time, limited to the range of reference time.
  public func time(ofFrame frame: Double) -> ReferenceTime {
    let distance = (frame - Double(anchor.frame)) * 1e9 / Double(source.rate.hertz)
    return anchor.time.advanced(saturating: Int64(clamping: distance.rounded()))
  }

  /// Returns true if the next source continues to count the same frames.
  func continues(with next: Source) -> Bool {
    source.stream == next.stream && source.clock.epoch == next.clock.epoch
      && source.rate == next.rate
  }
}

extension Timeline {
  /// Nanoseconds per count, as a double.
  fileprivate var nanosecondsPerCount: Double { Double(numerator) / Double(denominator) }
}

extension Int64 {
  /// The integer part of a double, limited to the range; 0 for a value that is not a number.
  fileprivate init(clamping value: Double) {
    guard !value.isNaN else {
      self = 0
      return
    }
    self = Int64(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
  }
}
