// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// A clock of another process as a master; it provides beats and seconds.
final class SharedMaster: Master {
  var song: TimeContext {
    didSet { follower.division = song.tempoMap.division }
  }
  private var follower: SharedClockFollower

  init(_ follower: SharedClockFollower, _ song: TimeContext) {
    (self.follower, self.song) = (follower, song)
  }

  var mode: SyncMode { .shared }
  var lock: LockState { follower.lock }
  var isUncertain: Bool { follower.state.isUncertain }
  var isMoving: Bool { follower.isRunning }
  /// The number of times that its maps may have changed.
  var edition: UInt32 { follower.readings }

  var freewheel: Duration {
    get { follower.freewheel }
    set { follower.freewheel = newValue }
  }

  func advance(to now: HostTime) -> FollowerEvents { follower.advance(to: now) }

  /// Unlimited, because the line is exact however far ahead.
  func releaseLimit(at now: HostTime) -> HostTime? {
    follower.isRunning ? HostTime(nanoseconds: .max) : nil
  }

  func forEachPiece(of window: HostWindow, _ body: (HostWindow, Timeline<Tick, HostTime>) -> Void) {
    follower.forEachPiece(of: window, body)
  }

  func line(at time: HostTime) -> Timeline<Tick, HostTime>? {
    var line: Timeline<Tick, HostTime>?
    follower.forEachPiece(of: time..<time.advanced(byNanoseconds: 1)) { line = $1 }
    return line
  }

  func tick(of position: FollowedPosition) -> Tick { follower.tick }
}
