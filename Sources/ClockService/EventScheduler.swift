// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// Runs sources against a clock, window by window, and routes what they emit.
///
/// A step depends on its state and the window and on nothing else: no thread, no clock read. A
/// live output calls it a horizon ahead of the device; an offline renderer calls it for each
/// block; tests call it directly.
///
/// - Note: owned by the event thread, or by whoever drives it offline.
public final class EventScheduler {
  private var clock: MusicClock
  private let sources: [any EventSource]
  private let router: Router
  private var buffer = EventBuffer()
  private var lastTime = HostTime.zero

  /// Where the last window ended.
  public private(set) var end: HostTime

  /// Creates a scheduler whose first window begins at `start`.
  public init(
    clock: MusicClock, sources: [any EventSource], router: Router, start: HostTime = .zero
  ) {
    self.clock = clock
    self.sources = sources
    self.router = router
    self.end = start
  }

  /// Whether every source has emitted all it had, every sink has taken it, and nothing is held.
  public private(set) var isFinished = false

  /// Locates the sources to a tick and starts the clock there at an instant.
  public func start(at tick: Tick, time: HostTime) throws {
    isFinished = false
    for source in sources { source.locate(to: tick) }
    try clock.start(at: tick, time: time)
  }

  /// Emits and routes everything due from the end of the last window up to `limit`.
  ///
  /// - Throws: what a sink throws when it is gone.
  public func step(to limit: HostTime) throws {
    guard limit > end else { return }
    buffer.removeAll()
    try clock.forEachPiece(of: end..<limit) { part, timeline in
      for source in sources { source.emit(part, along: timeline, into: &buffer) }
    }
    if sources.count > 1 { buffer.sortByTime() }
    end = limit
    lastTime = buffer.events.last?.time ?? lastTime
    try router.send(buffer)
    if !isFinished, sources.allSatisfy(\.isFinished), router.isDrained { try finish() }
  }

  /// A song may end with a key or a pedal held, and nobody else would let go.
  ///
  /// The instant is the last event's, whatever the window: a window cut in two gives the same.
  private func finish() throws {
    try router.release(at: lastTime)
    isFinished = router.isDrained
  }

  /// Stops the clock, cancels what is due from an instant on and releases everything that sounds.
  ///
  /// - Throws: what a sink throws when it is gone.
  public func silence(at time: HostTime) throws {
    clock.stop()
    try router.silence(at: time)
  }
}
