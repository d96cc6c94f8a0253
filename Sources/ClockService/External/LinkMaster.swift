// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// An Ableton Link session as a master; it provides beats.
final class LinkMaster: Master {
  /// The time in nanoseconds by which events may be sent ahead of a change of tempo.
  private static let ahead: Int64 = 30_000_000

  var song: TimeContext {
    didSet { follower.division = song.tempoMap.division }
  }
  /// Not used: a session continues without other peers.
  var freewheel: Duration = .seconds(1)
  private var follower: LinkFollower
  /// The last tempo of the song that was set in the session, in 10 ns per beat.
  private var proposed: UInt32 = 0
  /// The session in which it was set.
  private var session: UInt32 = 0

  init(_ follower: LinkFollower, _ song: TimeContext) {
    (self.follower, self.song) = (follower, song)
  }

  var mode: SyncMode { .link }
  var lock: LockState { follower.beats.isSettled ? .locked : .acquiring }
  var isMoving: Bool { follower.isRunning }
  var isLed: Bool { follower.lead != nil }
  var nanosecondsPerQuarter: Ratio? { Ratio(Int64(follower.nanosecondsPerBeat.rounded())) }

  var tempo: FollowedTempo? {
    let tempo = 60e9 / follower.nanosecondsPerBeat
    return FollowedTempo(
      beatsPerMinute: tempo, deviation: 0, shownHundredths: Int((tempo * 100).rounded()))
  }

  func advance(to now: HostTime) -> FollowerEvents {
    let events = follower.advance(to: now)
    lead(at: now)
    return events
  }

  /// Sets the song's tempo in the session when it begins.
  ///
  /// A change by another peer then remains until the song's next change of tempo.
  private func lead(at now: HostTime) {
    guard let propose = follower.lead?.setTempo else { return }
    if !follower.isRunning || session != follower.beats.sessions { proposed = 0 }
    session = follower.beats.sessions
    guard follower.isRunning else { return }
    // Also before the first bar, so that the bar begins at its tempo.
    let tempo = song.tempoMap.tempo(at: follower.tick).tenNanosecondsPerQuarter
    guard tempo != proposed, let line = follower.line else { return }
    let change = song.tempoMap.changes.last { $0.tick <= follower.tick }
    let begin = change.map { line.timeRoundedUp(atCount: $0.tick.value) } ?? now
    propose((Int64(tempo) + 50) / 100, proposed == 0 ? now : begin)
    proposed = tempo
  }

  func command(_ isPlaying: Bool, at now: HostTime) { follower.command(isPlaying, at: now) }

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
