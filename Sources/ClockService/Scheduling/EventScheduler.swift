// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// Runs sources on a clock, window by window, and routes their events.
///
/// The result of a step depends only on the state and the window, not on threads or clocks. A live
/// output steps up to a horizon ahead of its position; an offline renderer steps for each block;
/// tests call a step directly.
///
/// A command takes effect at an instant that is not audible yet. Events sent for later are
/// cancelled and emitted again, so that none are lost or played twice.
///
/// - Note: Owned by the event thread, or by the thread that drives it offline.
public final class EventScheduler {
  /// The router of events.
  public let router: Router
  /// The clock, with its sources.
  public let lane: EventLane
  /// The time after the position at which a command takes effect; 5 ms by default.
  ///
  /// Earlier events have been sent.
  public var lead = Duration.milliseconds(5)
  /// The relation of its time to host time; the owner updates it from the output's clock.
  public let reference: ReferenceClock

  var received = HostEventBuffer()
  /// Commands that wait for the output to start.
  private var waiting: [(EventScheduler) throws -> Void] = []
  /// The earliest instant at which a command takes effect; nil offline, when it is the end of the
  /// lane.
  private(set) var earliest: ReferenceTime?
  private(set) var heard = ReferenceTime(nanoseconds: .min)

  /// The largest delay of a window; if it is exceeded, the lane skips to the position: 50 ms.
  public static let lateLimit = Duration.milliseconds(50)

  /// Creates a scheduler whose first window begins at `start`; 0 by default.
  public init(
    clock: MusicClock, sources: [any EventSource], router: Router, start: ReferenceTime = .zero,
    reference: ReferenceClock = ReferenceClock()
  ) {
    self.router = router
    self.reference = reference
    lane = EventLane(clock: clock, sources: sources, start: start, reference: reference)
  }

  /// The earliest instant at which a command takes effect.
  public var soonest: ReferenceTime { earliest ?? end }

  /// The end of the last window.
  public var end: ReferenceTime { lane.end }

  /// True if sources have emitted all events, and sinks have received them.
  public var isFinished: Bool { lane.isFinished }

  /// True if the position has passed the last event, with the delays of all destinations, and ports
  /// do not hold events back behind a long SysEx.
  func hasBeenHeard(at position: ReferenceTime) -> Bool {
    let passed = position.advanced(by: .zero - router.longestDelay)
    return router.isDrained && lane.lastTime < passed && !router.isHoldingBack
  }

  /// Emits and routes everything due before `limit`, for an output without delay.
  ///
  /// Routed events count as audible.
  ///
  /// - Throws: The errors of a sink.
  public func step(to limit: ReferenceTime) throws {
    heard = max(heard, limit)
    router.settle(before: heard)
    if limit > lane.end { try emit(to: limit) }
  }

  /// Emits and routes everything due up to the lane's horizon after the position.
  ///
  /// If the end of the last window is more than `lateLimit` before the position, for example after
  /// a suspension, the lane skips to the position.
  ///
  /// - Parameter position: The reference time up to which sound was played.
  /// - Throws: The errors of a sink.
  public func step(at position: ReferenceTime) throws {
    look(at: position)
    try runWaiting()
    try followMaster(at: position)
    if lane.isRunning, position > lane.end.advanced(by: Self.lateLimit) { try skip() }
    if !lane.isRunning {
      // Past clocks of a stopped transport are left out. The first clock is not sent at a time at
      // which it would be late.
      let least = lane.hasBegun ? position : position.advanced(by: lead)
      lane.end = max(lane.end, least)
    }
    let limit = lane.limit(at: position)
    if limit > lane.end { try emit(to: limit) }
    try router.flush()
  }

  /// Performs an action now or, if the output has not started, in the first step after its start.
  ///
  /// - Throws: The errors of the body, if it is performed now.
  func whenHeard(_ body: @escaping (EventScheduler) throws -> Void) throws {
    guard reference.base == nil || !waiting.isEmpty else { return try body(self) }
    waiting.append(body)
  }

  /// The time at which the last command is audible; nil before the output has started.
  var commandTime: HostTime? {
    let begun = lane.isRunning && lane.master == nil ? lane.clock.startTime : lane.floor
    return reference.base?.hostTime(of: max(heard, lane.floor, begun))
  }

  /// Performs an action after those that wait for the output to start, or now if none wait.
  ///
  /// - Throws: The errors of the body, if it is performed now.
  func inOrder(_ body: @escaping (EventScheduler) throws -> Void) throws {
    guard !waiting.isEmpty else { return try body(self) }
    waiting.append(body)
  }

  private func runWaiting() throws {
    guard !waiting.isEmpty, reference.base != nil else { return }
    let bodies = waiting
    waiting = []
    for body in bodies { try body(self) }
  }

  /// Updates the played position, which determines when commands can take effect.
  public func look(at position: ReferenceTime) {
    earliest = reference.startOfFrame(at: position.advanced(by: lead))
    guard position > heard else { return }
    heard = position
    router.settle(before: position)
    lane.settle(before: position)
  }

  func emit(to limit: ReferenceTime) throws {
    lane.emit(to: limit)
    try route()
    if !lane.isFinished, lane.isExhausted, router.isDrained { try finish() }
  }

  func route() throws {
    lane.lastTime = lane.buffer.events.last { !$0.isClock }?.time ?? lane.lastTime
    defer { lane.buffer.removeAll() }
    try router.send(lane.buffer)
  }

  /// Releases keys and pedals that are still held at the end of a song.
  ///
  /// The instant is that of the last event, so that it does not depend on the windows.
  private func finish() throws {
    try router.release(at: lane.lastTime)
    lane.tell(.finished, at: lane.lastTime)
    try route()
    lane.isFinished = router.isDrained
  }

  private func skip() throws {
    let time = earliest ?? lane.end
    let missed = time.nanoseconds(since: lane.end)
    lane.rewind(to: lane.position(at: lane.end))
    try router.release(at: time)
    lane.tell(.late(nanoseconds: missed), at: time)
    lane.move(to: lane.position(at: time), by: .skip)
    lane.end = time
    lane.floor = time
    try route()
  }

  /// The descriptors that become readable when the master has sent messages.
  public var descriptors: [Int32] { lane.masterInput?.descriptors ?? [] }
}
