// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// A session of Ableton Link: it gives beats.
final class LinkMaster: Master {
  /// How far ahead of its tempo's next change something may go out, in nanoseconds.
  private static let ahead: Int64 = 30_000_000

  var song: TimeContext {
    didSet { follower.division = song.tempoMap.division }
  }
  /// A session goes on without the others.
  var freewheel: Duration = .seconds(1)
  private var follower: LinkFollower

  init(_ follower: LinkFollower, _ song: TimeContext) {
    (self.follower, self.song) = (follower, song)
  }

  var mode: SyncMode { .link }
  var lock: LockState { follower.beats.isSettled ? .locked : .acquiring }
  var isMoving: Bool { follower.isRunning }
  var nanosecondsPerQuarter: Ratio? { Ratio(Int64(follower.nanosecondsPerBeat.rounded())) }

  var tempo: FollowedTempo? {
    let tempo = 60e9 / follower.nanosecondsPerBeat
    return FollowedTempo(
      beatsPerMinute: tempo, deviation: 0, shownHundredths: Int((tempo * 100).rounded()))
  }

  func advance(to now: HostTime) -> FollowerEvents { follower.advance(to: now) }

  func releaseLimit(at now: HostTime) -> HostTime? {
    follower.isRunning ? now.advanced(saturating: Self.ahead) : nil
  }

  func forEachPiece(of window: HostWindow, _ body: (HostWindow, Timeline<Tick, HostTime>) -> Void) {
    let start = max(window.lowerBound, follower.start)
    guard follower.isRunning, start < window.upperBound, let line = follower.line else { return }
    body(start..<window.upperBound, line)
  }

  func line(at time: HostTime) -> Timeline<Tick, HostTime>? {
    follower.isRunning && time >= follower.start ? follower.line : nil
  }

  func tick(of position: FollowedPosition) -> Tick { follower.tick }
}
