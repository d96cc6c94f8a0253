// SPDX-License-Identifier: Apache-2.0

/// The relation of reference time to host time; only this type converts between the two.
///
/// Both are in nanoseconds, so conversions are exact in both directions. Results are limited to the
/// range of 64 bits. The time base of an output depends only on the clock of that output. Without
/// an output use `host`, for which both times are equal.
///
/// - Note: Real-time safe.
public struct TimeBase: Hashable, BitwiseCopyable, Sendable {
  /// One of the two host times that belong to an instant of reference time.
  public enum Moment: Hashable, Sendable {
    /// The time at which the output renders the instant.
    case scheduled
    /// The time at which the instant is audible: `delay` later.
    case audible
  }

  /// The host time at which reference time 0 was scheduled, or would have been.
  public let origin: HostTime
  /// Nanoseconds from the rendering of a frame until it is audible.
  public let delay: Int64
  /// The number of time bases before this one.
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

  /// Creates the time base of an output from its clock and position.
  ///
  /// - Parameters:
  ///   - clock: The clock of the output, which gives the time at which each frame leaves its
  ///     buffer.
  ///   - frame: The first frame that has not been rendered.
  ///   - rate: The nominal rate of the output, which is used for reference time.
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

  /// Returns the reference time that is audible in a window of host time.
  @inlinable
  public func window(of host: HostWindow) -> ReferenceWindow {
    time(at: host.lowerBound)..<time(at: host.upperBound)
  }

  /// Returns the host time in which a window is audible.
  @inlinable
  public func hostWindow(of window: ReferenceWindow) -> HostWindow {
    hostTime(of: window.lowerBound)..<hostTime(of: window.upperBound)
  }

  /// Returns the line in reference time whose counts are audible along a line in host time.
  @inlinable
  public func line<Count>(
    of host: Timeline<Count, HostTime>
  ) -> Timeline<Count, ReferenceTime> {
    host.moved(byNanoseconds: -distance(.audible))
  }

  /// Returns the line in host time along which the counts of a line in reference time are audible.
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
