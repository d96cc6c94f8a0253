// SPDX-License-Identifier: Apache-2.0

/// Where reference time lies on the host's clock: the only place where one becomes the other.
///
/// Both count nanoseconds, so a conversion is exact and comes back the same; past the range it is
/// held there. An output's base is built from what the output says of its clock alone. Without an
/// output there is `host`, in which both are one.
///
/// - Note: Real-time safe.
public struct TimeBase: Hashable, BitwiseCopyable, Sendable {
  /// Which of two moments of an instant is meant.
  public enum Moment: Hashable, Sendable {
    /// When the transport runs through it: the output renders it.
    case scheduled
    /// When it is heard, the output's delay later.
    case audible
  }

  /// The host time at which reference time 0 was scheduled, or would have been.
  public let origin: HostTime
  /// Nanoseconds from the rendering of a frame to its sound.
  public let delay: Int64
  /// How many bases there were before this one.
  public let epoch: UInt32

  /// The base of a transport without an output: reference time is host time.
  public static let host = TimeBase(origin: .zero)

  /// Creates a base.
  @inlinable
  public init(origin: HostTime, delay: Int64 = 0, epoch: UInt32 = 0) {
    self.origin = origin
    self.delay = delay
    self.epoch = epoch
  }

  /// Creates the base that an output's clock gives at its position.
  ///
  /// - Parameters:
  ///   - clock: when each frame leaves the output's buffer.
  ///   - frame: the first frame that has not been rendered.
  ///   - rate: the output's nominal rate, by which reference time is counted.
  ///   - buffered: nanoseconds that the output holds itself.
  public init(_ clock: SampleClock, at frame: SampleTime, rate: SampleRate, buffered: Int64) {
    let leaving = clock.timeline.timeRoundedUp(atCount: frame.frames).nanoseconds
    self.init(
      origin: HostTime(
        nanoseconds: leaving - buffered - rate.timeRoundedUp(of: frame).nanoseconds),
      delay: buffered + clock.delay)
  }

  /// The host time of an instant.
  @inlinable
  public func hostTime(of time: ReferenceTime, _ moment: Moment = .audible) -> HostTime {
    HostTime(nanoseconds: time.nanoseconds).advanced(saturating: distance(moment))
  }

  /// The instant that is heard, or scheduled, at a host time.
  @inlinable
  public func time(at host: HostTime, _ moment: Moment = .audible) -> ReferenceTime {
    ReferenceTime(nanoseconds: host.nanoseconds).advanced(saturating: -distance(moment))
  }

  /// What is heard in a window of host time.
  @inlinable
  public func window(of host: HostWindow) -> ReferenceWindow {
    time(at: host.lowerBound)..<time(at: host.upperBound)
  }

  /// When a window is heard.
  @inlinable
  public func hostWindow(of window: ReferenceWindow) -> HostWindow {
    hostTime(of: window.lowerBound)..<hostTime(of: window.upperBound)
  }

  /// The line along which to schedule what is to be heard along a line of host time.
  @inlinable
  public func line<Count>(
    of host: Timeline<Count, HostTime>
  ) -> Timeline<Count, ReferenceTime> {
    host.moved(byNanoseconds: -distance(.audible))
  }

  /// The line of host time along which a line is heard.
  @inlinable
  public func hostLine<Count>(
    of line: Timeline<Count, ReferenceTime>
  ) -> Timeline<Count, HostTime> {
    line.moved(byNanoseconds: distance(.audible))
  }

  /// What an instant's host time is ahead of it, in nanoseconds.
  @inlinable
  func distance(_ moment: Moment) -> Int64 {
    moment == .audible ? origin.nanoseconds &+ delay : origin.nanoseconds
  }
}
