// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// What drives a lane: its own clock, or a master in the place of that.
///
/// - Note: owned by the event thread.
protocol LaneDriver: AnyObject {
  /// What is followed.
  var mode: SyncMode { get }
  /// Whether it runs, or will once its start has come.
  var isRunning: Bool { get }
  /// How long a quarter note is where it is, as measured; nil where the tempo map says.
  var nanosecondsPerQuarter: Ratio? { get }

  /// Where it stands at an instant.
  func position(at time: ReferenceTime) -> TransportPosition
  /// Up to when events may be emitted, seen from a position, where no horizon is nearer.
  func limit(at position: ReferenceTime, atLeast least: ReferenceTime) -> ReferenceTime
  /// Calls `body` with each part of a window in which one line holds, in order.
  func forEachPiece(of window: ReferenceWindow, _ body: (ClockPiece) -> Void)
  /// The end of the loop, where it went back at just this instant.
  func loopEnd(at time: ReferenceTime, pass: Int) -> Tick?
  /// Whether it goes back at the end of a loop once more after an instant.
  func willLoop(after time: ReferenceTime) -> Bool
  /// When it goes back at the end of a loop next after an instant, and where to; nil where it does not.
  func nextLoop(after time: ReferenceTime) -> LoopJump?
  /// How it moves, for other processes to follow; nil while it stands.
  func motion(at now: ReferenceTime, on base: TimeBase) -> LaneMotion?
  /// What is known of the master; nil for none.
  func followed(at now: ReferenceTime) -> ClockSnapshot.Followed?
}

/// How a lane moves: along a line of host time, from an instant on.
struct LaneMotion {
  let line: Timeline<Tick, HostTime>
  let start: HostTime
  /// Whether the tempo map says nothing of the line.
  let isExternal: Bool
}

/// When and where to a lane goes back at the end of a loop.
struct LoopJump {
  let time: ReferenceTime
  let tick: Tick
}

extension LaneDriver {
  func loopEnd(at time: ReferenceTime, pass: Int) -> Tick? { nil }
  func willLoop(after time: ReferenceTime) -> Bool { false }
  func nextLoop(after time: ReferenceTime) -> LoopJump? { nil }
}

/// A lane's own clock.
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

  // Asked in each window: without a loop, no copy of the clock is made.
  func nextLoop(after time: ReferenceTime) -> LoopJump? {
    clock.loop == nil ? nil : clock.nextLoop(after: time)
  }

  /// The piece that holds now, or the first one where the start has not come yet.
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
