// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The driver of a lane: its own clock, or a master in place of it.
///
/// - Note: Owned by the event thread.
protocol LaneDriver: AnyObject {
  /// The kind of master.
  var mode: SyncMode { get }
  /// True while it runs, or is about to start.
  var isRunning: Bool { get }
  /// The measured length of a quarter note; nil if the tempo map determines it.
  var nanosecondsPerQuarter: Ratio? { get }

  /// The position at an instant.
  func position(at time: ReferenceTime) -> TransportPosition
  /// The instant up to which events may be emitted, for a position, unless the horizon is nearer.
  func limit(at position: ReferenceTime, atLeast least: ReferenceTime) -> ReferenceTime
  /// Calls `body` with each part of a window with a constant line, in order.
  func forEachPiece(of window: ReferenceWindow, _ body: (ClockPiece) -> Void)
  /// The end of the loop if it jumped back at this instant.
  func loopEnd(at time: ReferenceTime, pass: Int) -> Tick?
  /// True if it repeats a loop at least once more after an instant.
  func willLoop(after time: ReferenceTime) -> Bool
  /// The next jump at the end of a loop after an instant; nil without one.
  func nextLoop(after time: ReferenceTime) -> LoopJump?
  /// The motion, for other processes to follow; nil while it is stopped.
  func motion(at now: ReferenceTime, on base: TimeBase) -> LaneMotion?
  /// The state of the master; nil without one.
  func followed(at now: ReferenceTime) -> ClockSnapshot.Followed?
}

/// The motion of a lane: along a line in host time, from an instant on.
struct LaneMotion {
  let line: Timeline<Tick, HostTime>
  let start: HostTime
  /// True if the tempo map does not determine the line.
  let isExternal: Bool
}

/// The time and the destination of a jump at the end of a loop.
struct LoopJump {
  let time: ReferenceTime
  let tick: Tick
}

extension LaneDriver {
  func loopEnd(at time: ReferenceTime, pass: Int) -> Tick? { nil }
  func willLoop(after time: ReferenceTime) -> Bool { false }
  func nextLoop(after time: ReferenceTime) -> LoopJump? { nil }
}

/// The clock of a lane as its driver.
final class OwnClock: LaneDriver {
  var clock: MusicClock

  init(_ clock: MusicClock) {
    self.clock = clock
  }

  var mode: SyncMode { .alone }
  var isRunning: Bool { clock.isRunning }
  var nanosecondsPerQuarter: Ratio? { nil }

  func position(at time: ReferenceTime) -> TransportPosition { clock.position(at: time) }

  func limit(at position: ReferenceTime, atLeast least: ReferenceTime) -> ReferenceTime {
    ReferenceTime(nanoseconds: .max)
  }

  func forEachPiece(of window: ReferenceWindow, _ body: (ClockPiece) -> Void) {
    clock.forEachPiece(of: window, body)
  }

  func loopEnd(at time: ReferenceTime, pass: Int) -> Tick? { clock.loopEnd(at: time, pass: pass) }

  func willLoop(after time: ReferenceTime) -> Bool {
    clock.loop != nil && clock.willLoop(after: time)
  }

  // Called for each window: without a loop, the clock is not copied.
  func nextLoop(after time: ReferenceTime) -> LoopJump? {
    clock.loop == nil ? nil : clock.nextLoop(after: time)
  }

  /// The present segment, or the first one if the start is in the future.
  func motion(at now: ReferenceTime, on base: TimeBase) -> LaneMotion? {
    var motion: LaneMotion?
    let start = max(now, clock.startTime)
    clock.forEachPiece(of: start..<start.advanced(byNanoseconds: 1)) { piece in
      motion =
        motion
        ?? LaneMotion(
          line: base.hostLine(of: piece.timeline),
          start: base.hostTime(of: piece.window.lowerBound), isExternal: false)
    }
    return motion
  }

  func followed(at now: ReferenceTime) -> ClockSnapshot.Followed? { nil }
}
