// SPDX-License-Identifier: Apache-2.0

/// Converts between an output's reference time and host time, for past and current time bases of
/// the output.
///
/// Once the host time of an instant has been returned, it does not change. New measurements of the
/// device's clock apply only to later instants.
///
/// - Note: Owned by one thread.
public final class ReferenceClock {
  /// Smaller changes, in nanoseconds, are ignored: less than half a frame at any usual rate.
  private static let tolerance: Int64 = 2_000
  private static let capacity = 128

  /// The current time base; nil before the output runs.
  public private(set) var base: TimeBase?
  /// The output's clock, as last measured; nil without an output, or before it runs.
  public private(set) var clock: SampleClock?

  /// The sound device whose speed a transport without an output follows; nil if it follows host
  /// time.
  public private(set) var pace: DevicePace?

  /// The rate of the output; nil without an output.
  private let rate: SampleRate?
  /// The length of the output's buffer in nanoseconds.
  private let buffered: Int64
  /// The latency in frames of the graph that the output renders; it is added to the latency of the
  /// output.
  ///
  /// A change takes effect with the next call of `look(_:at:)`.
  public var graphLatency = 0
  private var stretches: ContiguousArray<Stretch> = []
  private var reached = ReferenceTime(nanoseconds: .min)

  /// A time base, with the instant from which it applies.
  private struct Stretch {
    var start: ReferenceTime
    var base: TimeBase
  }

  /// Creates the clock of a transport without an output: reference time equals host time.
  public init() {
    (rate, buffered, base) = (nil, 0, .host)
  }

  /// Creates the clock of an output that has not started.
  ///
  /// - Parameters:
  ///   - rate: The nominal sample rate of the output.
  ///   - latency: The number of frames that the output buffers.
  ///   - graphLatency: The latency in frames of the graph that the output renders.
  public init(rate: SampleRate, latency: Int, graphLatency: Int = 0) {
    self.rate = rate
    self.graphLatency = graphLatency
    buffered = rate.timeRoundedUp(of: SampleTime(frames: Int64(latency))).nanoseconds
    stretches.reserveCapacity(Self.capacity)
  }

  /// The time in nanoseconds from the rendering of a frame until it is audible, as last measured or
  /// expected.
  public var delay: Int64 { base?.delay ?? buffered + graphDelay }

  private var graphDelay: Int64 {
    rate?.timeRoundedUp(of: SampleTime(frames: Int64(graphLatency))).nanoseconds ?? 0
  }

  /// Updates the clock from the state of an output.
  ///
  /// - Parameters:
  ///   - clock: The clock of the output; nil keeps the last one. Read it before `frame`, so that
  ///     `frame` is not earlier than the clock.
  ///   - frame: The first frame that has not been rendered.
  /// - Returns: The position up to which the output has rendered.
  @discardableResult
  public func look(_ clock: SampleClock?, at frame: SampleTime) -> ReferenceTime {
    guard let rate else { return .zero }
    if let clock { self.clock = clock }
    let position = rate.timeRoundedUp(of: frame)
    guard let clock = self.clock else { return position }
    let seen = TimeBase(clock, at: frame, rate: rate, buffered: buffered)
    let heard = seen.hostTime(of: .zero).advanced(saturating: graphDelay)
    if let base, abs(heard.nanoseconds(since: base.hostTime(of: .zero))) <= Self.tolerance {
      return position
    }
    move(to: seen.origin, delay: seen.delay + graphDelay, from: position)
    return position
  }

  /// Updates the clock of a transport that does not have an output but follows the speed of a sound
  /// device.
  ///
  /// Reference time continues from its current value: a change of the device, a restart of its
  /// stream and an xrun do not change it. Without a device, it passes at the same speed as host
  /// time.
  ///
  /// - Parameters:
  ///   - source: The relation of the device's frames to host time; nil to follow host time.
  ///   - host: The current host time.
  /// - Returns: The reference time at `host`.
  @discardableResult
  public func look(_ source: DevicePace.Source?, at host: HostTime) -> ReferenceTime {
    guard let source else {
      (pace, clock) = (nil, nil)
      return time(at: host)
    }
    let isKept = pace?.continues(with: source) ?? false
    let anchor = isKept ? pace?.anchor : nil
    let next = DevicePace(source: source, anchor: anchor ?? self.anchor(of: source, at: host))
    (pace, clock) = (next, source.clock)
    let position = next.time(ofFrame: next.frame(at: host))
    let origin = HostTime(
      nanoseconds: host.nanoseconds(since: HostTime(nanoseconds: position.nanoseconds)))
    if abs(origin.nanoseconds(since: base?.origin ?? .zero)) > Self.tolerance {
      move(to: origin, delay: 0, from: position)
    }
    return time(at: host)
  }

  /// A frame near a host time, with its reference time according to the present state.
  private func anchor(
    of source: DevicePace.Source, at host: HostTime
  ) -> (frame: Int64, time: ReferenceTime) {
    let frame = source.clock.timeline.firstCount(atOrAfter: host)
    return (frame, time(at: source.clock.timeline.timeRoundedUp(atCount: frame)))
  }

  private func move(to origin: HostTime, delay: Int64, from position: ReferenceTime) {
    let next = TimeBase(origin: origin, delay: delay, epoch: base.map { $0.epoch &+ 1 } ?? 0)
    base = next
    if stretches.count == Self.capacity { stretches.removeFirst(Self.capacity / 2) }
    stretches.append(Stretch(start: max(reached, position), base: next))
  }

  /// Returns the start of the output's frame at an instant, or the instant itself without an
  /// output.
  ///
  /// Use it before events are cancelled from an instant on. Units cancel all events of a frame, so
  /// an instant within a frame would also cancel earlier events of that frame.
  public func startOfFrame(at time: ReferenceTime) -> ReferenceTime {
    rate.map { $0.timeRoundedUp(of: $0.frame(at: time)) } ?? time
  }

  /// Returns the host time at which an instant is audible; repeated calls return the same time.
  public func hostTime(of time: ReferenceTime) -> HostTime {
    reached = max(reached, time)
    let stretch = stretches.last { $0.start <= time } ?? stretches.first
    return (stretch?.base ?? base ?? TimeBase(origin: .zero, delay: delay)).hostTime(of: time)
  }

  /// Returns the instant that is audible at a host time, according to the time base that applied at
  /// that time.
  ///
  /// In a gap without sound, the instant is calculated back from the sound after the gap.
  public func time(at host: HostTime) -> ReferenceTime {
    let index = stretches.lastIndex { $0.base.hostTime(of: $0.start) <= host } ?? 0
    guard stretches.indices.contains(index) else {
      return (base ?? TimeBase(origin: .zero, delay: delay)).time(at: host)
    }
    let time = stretches[index].base.time(at: host)
    guard index + 1 < stretches.count, time > stretches[index + 1].start else { return time }
    return stretches[index + 1].base.time(at: host)
  }
}
