// SPDX-License-Identifier: Apache-2.0

/// The relation of an output's reference time to host time, with the conversions between the two.
///
/// Both times are in nanoseconds and pass at the same speed, so conversions are exact in both
/// directions. Results are limited to the range of 64 bits. Without an output, use `host`, for
/// which both times are equal.
///
/// - Note: Real-time safe.
public struct TimeBase: Hashable, BitwiseCopyable, Sendable {
  /// The two host times that belong to an instant of reference time.
  public enum Moment: Hashable, Sendable {
    /// The time at which the output renders the instant.
    case scheduled
    /// The time at which the instant is audible, which is `delay` later than `scheduled`.
    case audible
  }

  /// The host time at which reference time 0 was scheduled, calculated back if the output was not
  /// running then.
  public let origin: HostTime
  /// The time in nanoseconds from the rendering of a frame until it is audible.
  public let delay: Int64
  /// The number of time bases that preceded this one.
  public let epoch: UInt32

  /// The time base of a transport without an output: reference time equals host time.
  public static let host = TimeBase(origin: .zero)

  /// Creates a time base; `delay` is in nanoseconds.
  @inlinable
  public init(origin: HostTime, delay: Int64 = 0, epoch: UInt32 = 0) {
    self.origin = origin
    self.delay = delay
    self.epoch = epoch
  }

  /// Creates the time base of an output from the output's clock and position.
  ///
  /// - Parameters:
  ///   - clock: The clock of the output, which gives the time at which each frame leaves its
  ///     buffer.
  ///   - frame: The first frame that has not been rendered.
  ///   - rate: The nominal sample rate of the output, by which reference time is calculated from
  ///     frames.
  ///   - buffered: The length of the output's buffer in nanoseconds.
  public init(_ clock: SampleClock, at frame: SampleTime, rate: SampleRate, buffered: Int64) {
    let leaving = clock.timeline.timeRoundedUp(atCount: frame.frames).nanoseconds
    self.init(
      origin: HostTime(
        nanoseconds: leaving - buffered - rate.timeRoundedUp(of: frame).nanoseconds),
      delay: buffered + clock.delay)
  }

  /// Returns the host time at which an instant is audible or scheduled.
  @inlinable
  public func hostTime(of time: ReferenceTime, _ moment: Moment = .audible) -> HostTime {
    HostTime(nanoseconds: time.nanoseconds).advanced(saturating: distance(moment))
  }

  /// Returns the instant that is audible or scheduled at a host time.
  @inlinable
  public func time(at host: HostTime, _ moment: Moment = .audible) -> ReferenceTime {
    ReferenceTime(nanoseconds: host.nanoseconds).advanced(saturating: -distance(moment))
  }

  /// Converts a window of host time to the reference times that are audible in the window.
  @inlinable
  public func window(of host: HostWindow) -> ReferenceWindow {
    time(at: host.lowerBound)..<time(at: host.upperBound)
  }

  /// Converts a window of reference time to the host times at which it is audible.
  @inlinable
  public func hostWindow(of window: ReferenceWindow) -> HostWindow {
    hostTime(of: window.lowerBound)..<hostTime(of: window.upperBound)
  }

  /// Converts a timeline in host time to reference time, so that each count is audible at the same
  /// instant.
  @inlinable
  public func line<Count>(
    of host: Timeline<Count, HostTime>
  ) -> Timeline<Count, ReferenceTime> {
    host.moved(byNanoseconds: -distance(.audible))
  }

  /// Converts a timeline in reference time to host time, so that each count is audible at the same
  /// instant.
  @inlinable
  public func hostLine<Count>(
    of line: Timeline<Count, ReferenceTime>
  ) -> Timeline<Count, HostTime> {
    line.moved(byNanoseconds: distance(.audible))
  }

  /// The nanoseconds by which the host time of an instant is ahead of it.
  @inlinable
  func distance(_ moment: Moment) -> Int64 {
    moment == .audible ? origin.nanoseconds &+ delay : origin.nanoseconds
  }
}
