// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A musical clock on its own timebase: a tempo map, set going at an instant.
///
/// It turns a window of host time into pieces with one affine timeline each, so that a source
/// never meets a tempo change. Origins come from the tempo map's exact prefix sums: however long
/// it runs, it does not drift.
///
/// - Note: owned by the event thread, or by whoever drives the scheduler offline.
public struct MusicClock: Sendable {
  /// The tempo map in use.
  public let tempoMap: TempoMap
  /// How much faster than written the music runs, exactly; 1 plays as written.
  public let playRate: Ratio

  private var run: Run?

  /// A clock that was started: where, when, and the piece that holds now.
  private struct Run: Sendable {
    let tick: Tick
    let time: HostTime
    var piece: Timeline<Tick>
  }

  /// Creates a stopped clock.
  public init(tempoMap: TempoMap, playRate: Ratio = 1) {
    self.tempoMap = tempoMap
    self.playRate = playRate
  }

  /// Whether the clock runs.
  public var isRunning: Bool { run != nil }

  /// Starts the clock: `tick` sounds at `time`.
  public mutating func start(at tick: Tick, time: HostTime) throws(TimeError) {
    let piece = try timeline(at: tick, startedAt: tick, time)
    run = Run(tick: tick, time: time, piece: piece)
  }

  /// Stops the clock; it yields no pieces until it is started again.
  public mutating func stop() {
    run = nil
  }

  /// Calls `body` with each part of a window in which one timeline holds, in order.
  ///
  /// What lies before the clock's start belongs to no piece. Windows are asked for in order:
  /// each begins where the one before ended.
  ///
  /// - Complexity: O(log n) in the size of the map for each tempo change the window holds.
  public mutating func forEachPiece(
    of window: HostWindow, _ body: (HostWindow, Timeline<Tick>) throws -> Void
  ) throws {
    guard let run else { return }
    var current = run.piece
    var start = max(window.lowerBound, run.time)
    while start < window.upperBound {
      while current.validUntil <= start {
        let change = current.firstCount(atOrAfter: current.validUntil)
        current = try timeline(at: Tick(change), startedAt: run.tick, run.time)
      }
      let end = min(window.upperBound, current.validUntil)
      try body(start..<end, current)
      start = end
    }
    self.run?.piece = current
  }

  private func timeline(
    at tick: Tick, startedAt origin: Tick, _ time: HostTime
  ) throws(TimeError) -> Timeline<Tick> {
    try tempoMap.timeline(at: tick, originTick: origin, originHost: time, playRate: playRate)
  }
}
