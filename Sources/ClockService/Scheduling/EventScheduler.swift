// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// Runs event sources on a clock, window by window, and routes their events.
///
/// The result of a step depends only on the state and the window, not on threads or the time of
/// day. For live output, each step ends at a horizon ahead of the played position; for offline
/// rendering, each step is one block.
///
/// A command takes effect at an instant that is not audible yet. Events that were already sent for
/// later times are cancelled and emitted again, so that none are lost or played twice.
///
/// - Note: Owned by the event thread, or by the thread that drives the scheduler offline.
public final class EventScheduler {
  /// Sends the events to their destinations.
  public let router: Router
  /// The clock and its event sources.
  public let lane: EventLane
  /// The time from the played position to the instant at which a command takes effect; 5 ms by
  /// default.
  ///
  /// Events due before that instant cannot be cancelled any more.
  public var lead = Duration.milliseconds(5)
  /// The relation between the scheduler's time and host time.
  ///
  /// The scheduler's owner updates it from the output's clock.
  public let reference: ReferenceClock

  var received = HostEventBuffer()
  /// Commands that wait for the output to start.
  private var waiting: [(EventScheduler) throws -> Void] = []
  /// The earliest instant at which a command takes effect; nil offline, when it is the end of the
  /// lane.
  private(set) var earliest: ReferenceTime?
  private(set) var heard = ReferenceTime(nanoseconds: .min)

  /// The largest delay of a window: 50 ms.
  ///
  /// If it is exceeded, the lane skips to the played position.
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

  /// The earliest instant at which a new command can take effect.
  public var soonest: ReferenceTime { earliest ?? end }

  /// The end of the last window for which events were emitted.
  public var end: ReferenceTime { lane.end }

  /// True if sources have emitted all events, and sinks have received them.
  public var isFinished: Bool { lane.isFinished }

  /// True if the position has passed the last event, with the delays of all destinations, and ports
  /// do not hold events back behind a long SysEx.
  func hasBeenHeard(at position: ReferenceTime) -> Bool {
    let passed = position.advanced(by: .zero - router.longestDelay)
    return router.isDrained && lane.lastTime < passed && !router.isHoldingBack
  }

  /// Emits and routes all events due before `limit`, for an output without latency.
  ///
  /// Events are regarded as audible as soon as they are routed.
  ///
  /// - Throws: The errors of a sink.
  public func step(to limit: ReferenceTime) throws {
    heard = max(heard, limit)
    router.settle(before: heard)
    if limit > lane.end { try emit(to: limit) }
  }

  /// Emits and routes all events due from the last window to the lane's horizon after the played
  /// position.
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

  /// Updates the played position, which determines the earliest effect of a command, without
  /// emitting events.
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

  /// The file descriptors that become readable when the master has sent messages; empty without a
  /// master input.
  public var descriptors: [Int32] { lane.masterInput?.descriptors ?? [] }
}
