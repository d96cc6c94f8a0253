// SPDX-License-Identifier: Apache-2.0

/// The bases that an output's clock has given, from the first on: where its reference time lies on
/// the host's clock, by the pace of its device.
///
/// An instant keeps the host time it was once given: what the device's clock says anew holds for
/// what lies beyond.
///
/// - Note: one thread owns it.
public final class ReferenceClock {
  /// Below this nothing is moved, in nanoseconds: less than half a frame at any rate that is heard.
  private static let tolerance: Int64 = 2_000
  private static let capacity = 128

  /// The base as of now; nil before the output runs.
  public private(set) var base: TimeBase?
  /// The output's clock as it was seen last; nil without an output, and before it runs.
  public private(set) var clock: SampleClock?

  /// The device whose pace it follows in a transport without an output; nil for the host's.
  public private(set) var pace: DevicePace?

  /// The output's rate; nil without an output.
  private let rate: SampleRate?
  /// What the output holds itself, in nanoseconds.
  private let buffered: Int64
  /// Frames by which what is heard is behind what is rendered, beside the output's own: the latency of
  /// what it renders.
  ///
  /// What changes is in force from the next look on.
  public var graphLatency = 0
  private var stretches: ContiguousArray<Stretch> = []
  private var reached = ReferenceTime(nanoseconds: .min)

  /// From an instant on, the base that holds.
  private struct Stretch {
    var start: ReferenceTime
    var base: TimeBase
  }

  /// Creates the clock of a transport without an output: reference time is host time.
  public init() {
    (rate, buffered, base) = (nil, 0, .host)
  }

  /// Creates the clock of an output that has not begun.
  ///
  /// - Parameters:
  ///   - rate: its nominal rate.
  ///   - latency: the frames that it holds itself.
  ///   - graphLatency: the frames by which the sound of what it renders is behind.
  public init(rate: SampleRate, latency: Int, graphLatency: Int = 0) {
    self.rate = rate
    self.graphLatency = graphLatency
    buffered = rate.timeRoundedUp(of: SampleTime(frames: Int64(latency))).nanoseconds
    stretches.reserveCapacity(Self.capacity)
  }

  /// Nanoseconds between the rendering of a frame and its sound, as far as is known.
  public var delay: Int64 { base?.delay ?? buffered + graphDelay }

  private var graphDelay: Int64 {
    rate?.timeRoundedUp(of: SampleTime(frames: Int64(graphLatency))).nanoseconds ?? 0
  }

  /// Takes what an output says.
  ///
  /// - Parameters:
  ///   - clock: its clock; to be asked before the frame, which is then no earlier.
  ///   - frame: the first frame that has not been rendered.
  /// - Returns: the position up to which it has rendered.
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

  /// Follows the pace of a device, in a transport without an output.
  ///
  /// Reference time goes on from its present value: another device, a stream that starts again and
  /// an xrun do not move it. Without a device it passes as host time does.
  ///
  /// - Parameters:
  ///   - source: the times of the device's frames; nil for none.
  ///   - host: the present host time.
  /// - Returns: the reference time at the host time.
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

  /// A frame near a host time and the reference time of that frame until now.
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

  /// When the frame of the output began that is under way at an instant; that instant without an
  /// output.
  ///
  /// Units forget what is taken back by frames: an instant within one would take events with it that were
  /// due before.
  public func startOfFrame(at time: ReferenceTime) -> ReferenceTime {
    rate.map { $0.timeRoundedUp(of: $0.frame(at: time)) } ?? time
  }

  /// The host time at which an instant is heard; the same for the same instant, whenever it is
  /// asked.
  public func hostTime(of time: ReferenceTime) -> HostTime {
    reached = max(reached, time)
    let stretch = stretches.last { $0.start <= time } ?? stretches.first
    return (stretch?.base ?? base ?? TimeBase(origin: .zero, delay: delay)).hostTime(of: time)
  }

  /// The instant that is heard at a host time, by the base that held then; in a gap, in which nothing
  /// was, it is counted back from what came after.
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
