// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime

/// MIDI clock as a master; it provides beats.
final class MIDIClockMaster: Master {
  var song: TimeContext
  private var follower: MIDIClockFollower

  init(_ follower: MIDIClockFollower, _ song: TimeContext) {
    (self.follower, self.song) = (follower, song)
  }

  var mode: SyncMode { .midiClock }
  var lock: LockState { follower.lock }
  var tempo: FollowedTempo? { follower.tempo }
  var estimate: TickEstimate? { follower.estimate }
  var isUncertain: Bool { follower.isUncertain }
  var isMoving: Bool { follower.transport == .running }
  var nanosecondsPerQuarter: Ratio? { estimate.map { Ratio(Int64($0.period * 24)) } }

  var freewheel: Duration {
    get { follower.settings.freewheel }
    set { follower.settings.freewheel = newValue }
  }

  func take(_ message: Message, at time: HostTime) -> FollowerEvents {
    follower.take(message, at: time)
  }

  func advance(to now: HostTime) -> FollowerEvents { follower.advance(to: now) }

  func releaseLimit(at now: HostTime) -> HostTime? { follower.releaseLimit(at: now) }

  func forEachPiece(of window: HostWindow, _ body: (HostWindow, Timeline<Tick, HostTime>) -> Void) {
    guard case .ppqn(let resolution) = song.tempoMap.division else { return }
    follower.forEachPiece(of: window) { part, clocks in body(part, clocks.ticks(ppqn: resolution)) }
  }

  func line(at time: HostTime) -> Timeline<Tick, HostTime>? {
    guard case .ppqn(let resolution) = song.tempoMap.division else { return nil }
    return follower.piece(at: time)?.ticks(ppqn: resolution)
  }

  func tick(of position: FollowedPosition) throws(TimeError) -> Tick {
    guard case .clock(let clock) = position else {
      preconditionFailure("internal error: the position is not in MIDI clocks")
    }
    return try song.firstTick(of: .quarters(clock.quarters))
  }
}
