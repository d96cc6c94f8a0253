// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// Runs sources against a clock, window by window, and routes what they emit.
///
/// A step depends on its state and the window and on nothing else: no thread, no clock read. A
/// live output steps a horizon ahead of the position it has played; an offline renderer calls it
/// for each block; tests call it directly.
///
/// A command takes effect at an instant that has not been heard yet: what was sent for later is
/// taken back and emitted anew, so nothing is lost by it or played twice.
///
/// - Note: owned by the event thread, or by whoever drives it offline.
public final class EventScheduler {
  /// Where events go.
  public let router: Router
  /// The clock, and what runs on it.
  public let lane: EventLane
  /// How long after the position a command takes effect; 5 ms by default.
  ///
  /// What lies nearer has left already.
  public var lead = Duration.milliseconds(5)
  /// Where its time lies on the host's clock; whoever drives it lets it look at the output's clock.
  public let reference: ReferenceClock

  var received = HostEventBuffer()
  /// What waits for the output to begin.
  private var waiting: [(EventScheduler) throws -> Void] = []
  /// The earliest instant at which a command takes effect; nil offline, where it is a lane's end.
  private(set) var earliest: ReferenceTime?
  private(set) var heard = ReferenceTime(nanoseconds: .min)

  /// A window that ends so far before the position is too late to be caught up with: 50 ms.
  public static let lateLimit = Duration.milliseconds(50)

  /// Creates a scheduler whose first window begins at `start`.
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

  /// Where the last window ended.
  public var end: ReferenceTime { lane.end }

  /// Whether every source has emitted all it had, and every sink has taken it.
  public var isFinished: Bool { lane.isFinished }

  /// Whether the position has passed the last event of every source, wherever it goes, and no port
  /// holds anything back behind a long SysEx.
  func hasBeenHeard(at position: ReferenceTime) -> Bool {
    let passed = position.advanced(by: .zero - router.longestDelay)
    return router.isDrained && lane.lastTime < passed && !router.isHoldingBack
  }

  /// Emits and routes everything due up to `limit`, for an output without delay: what was routed
  /// counts as heard.
  ///
  /// - Throws: what a sink throws when it is gone.
  public func step(to limit: ReferenceTime) throws {
    heard = max(heard, limit)
    router.settle(before: heard)
    if limit > lane.end { try emit(to: limit) }
  }

  /// Emits and routes everything due up to the lane's horizon past the position.
  ///
  /// Where the last window ended more than `lateLimit` before the position, as after a suspension,
  /// the lane goes on from the position instead of hurrying after it.
  ///
  /// - Parameter position: the instant in reference time up to which all has been played.
  /// - Throws: what a sink throws when it is gone.
  public func step(at position: ReferenceTime) throws {
    look(at: position)
    try runWaiting()
    try followMaster(at: position)
    if lane.isRunning, position > lane.end.advanced(by: Self.lateLimit) { try skip() }
    if !lane.isRunning {
      // Standing, there is no count to be kept: a beat that is past is left out. The first of all
      // is not sent so soon that it would be late.
      let least = lane.hasBegun ? position : position.advanced(by: lead)
      lane.end = max(lane.end, least)
    }
    let limit = lane.limit(at: position)
    if limit > lane.end { try emit(to: limit) }
    try router.flush()
  }

  /// Does something now, or where the output has not begun, with the first step after it has.
  ///
  /// - Throws: what the body throws, where it is done now.
  func whenHeard(_ body: @escaping (EventScheduler) throws -> Void) throws {
    guard reference.base == nil || !waiting.isEmpty else { return try body(self) }
    waiting.append(body)
  }

  /// When the last command is heard; nil before the output has begun.
  var commandTime: HostTime? {
    let begun = lane.isRunning && lane.master == nil ? lane.clock.startTime : lane.floor
    return reference.base?.hostTime(of: max(heard, lane.floor, begun))
  }

  /// Does something after all that waits for the output to begin; where nothing does, now.
  ///
  /// - Throws: what the body throws, where it is done now.
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

  /// Takes note of how far has been played, so that commands know when they can take effect.
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

  /// A song may end with a key or a pedal held, and nobody else would let go.
  ///
  /// The instant is the last event's, whatever the window: a window cut in two gives the same.
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

  /// The descriptors that become readable when the master has sent something.
  public var descriptors: [Int32] { lane.masterInput?.descriptors ?? [] }
}
