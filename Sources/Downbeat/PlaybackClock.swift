// SPDX-License-Identifier: Apache-2.0
internal import ClockService
internal import MusicalTime

/// Where the music of a playback is: by its own clock, or by the line of its master.
struct PlaybackClock {
  /// All of it but the tempo map: what crosses threads.
  struct State: BitwiseCopyable, Sendable {
    let clock: MusicClock.State
    let followed: Followed?
  }

  /// Where a master is.
  struct Followed: BitwiseCopyable, Sendable {
    /// The line that holds while it moves.
    let line: Timeline<Tick>?
    let standing: Tick
  }

  private let clock: MusicClock
  private let followed: Followed?

  init(tempoMap: TempoMap, state: State) {
    clock = MusicClock(tempoMap: tempoMap, state: state.clock)
    followed = state.followed
  }

  var isRunning: Bool { followed.map { $0.line != nil } ?? clock.isRunning }

  func position(at time: HostTime) -> TransportPosition {
    guard let followed else { return clock.position(at: time) }
    let tick = followed.line.map { Tick($0.firstCount(atOrAfter: time)) } ?? followed.standing
    return TransportPosition(time: time, tick: tick, unwrapped: tick)
  }

  func time(of tick: Tick, from time: HostTime) -> HostTime? {
    guard let followed else { return clock.time(of: tick, from: time) }
    let due = followed.line?.hostTimeRoundedUp(atCount: tick.value)
    return due.flatMap { $0 >= time ? $0 : nil }
  }
}

extension EventLane {
  /// Where the lane's music is, as of a position.
  func clockState(at position: HostTime) -> PlaybackClock.State {
    PlaybackClock.State(
      clock: clock.state,
      followed: master.map {
        PlaybackClock.Followed(line: $0.timeline(at: position), standing: $0.standing)
      })
  }
}
