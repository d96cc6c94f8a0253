// SPDX-License-Identifier: Apache-2.0
package import ClockService
internal import CommandKit
internal import CommandOptions
package import MusicalTime
package import PlayerControl
internal import PlayerViews
internal import Realtime

/// The remote control of a clock that does not follow a master.
///
/// - Note: One thread.
package final class ClockControls: ControlTarget {
  package static let kind = PlayStatus.Kind.clock
  package static let verbs: [ControlVerb] = [
    .play, .pause, .toggle, .stop, .seek, .restart, .tempo, .tap, .quit,
  ]
  /// The time by which a command must be given early.
  private static let handling = Duration.milliseconds(120)

  package let clock: Transport
  package let name: String
  private var taps = TempoTap()
  private var seekCount = 0
  /// True after a command that quits.
  package private(set) var hasEnded = false
  package var message = ""

  package init(_ clock: Transport, named name: String) {
    (self.clock, self.name) = (clock, name)
  }

  package var status: PlayStatus {
    var status = PlayStatus(kind: Self.kind)
    let snapshot = clock.snapshot
    let (now, context) = (MonotonicClock.now, snapshot.clock.timeContext)
    let tick = snapshot.position(at: now).tick
    (status.isPaused, status.hasTransport) = (!snapshot.isRunning, snapshot.mode == .alone)
    status.state = snapshot.isRunning ? .playing : status.hasTransport ? .paused : .waiting
    (status.title, status.count, status.seekCount) = (name, 0, seekCount)
    (status.tick, status.tempo) = (tick.value, snapshot.beatsPerMinute(at: now))
    do {
      let reading = try ClockReading(snapshot, at: now, tick: tick, in: context)
      status.seconds = try context.seconds(of: reading.place).approximation
      status.bar = try reading.value(.barBeat)
      let quarters = try context.quarters(of: reading.place)
      status.meter = "\(try context.meterMap.signature(at: quarters))"
    } catch {
      // A position without a bar.
    }
    return status
  }

  package func leadTime(of command: PlayCommand) -> Duration? {
    switch command {
    case .togglePause, .setPaused, .stop, .locate, .restart: Self.handling
    default: nil
    }
  }

  package func perform(_ command: PlayCommand, at time: HostTime?) throws {
    switch command {
    case .togglePause: try setRunning(!clock.isToRun, at: time)
    case .setPaused(let pauses): try setRunning(!pauses, at: time)
    case .stop:
      try setRunning(false, at: time)
      try locate(to: .zero)
    case .locate(let place):
      let snapshot = clock.snapshot
      let tick = try place.tick(
        from: snapshot.position(at: MonotonicClock.now).tick,
        countingIn: snapshot.clock.timeContext)
      try locate(to: max(.zero, tick), at: time)
    case .restart: try locate(to: .zero, at: time)
    case .setTempo(let tempo): try clock.setConstantTempo(tempo)
    case .tap:
      guard let tempo = taps.tap(at: MonotonicClock.now) else { return message = "tap on" }
      try clock.setConstantTempo(tempo)
      message = "tempo \(tempo.beatsPerMinute.decimal(1))"
    case .quit, .quitToResume: hasEnded = true
    default: break
    }
  }

  private func setRunning(_ runs: Bool, at time: HostTime?) throws {
    guard clock.snapshot.mode == .alone else { throw ClockError.follows("start and stop") }
    if runs { clock.start(at: time) } else { clock.stop(at: time) }
  }

  private func locate(to tick: Tick, at time: HostTime? = nil) throws {
    try clock.locate(to: tick, at: clock.isToRun ? time : nil)
    seekCount += 1
  }
}

extension Transport {
  /// Continues at the current position with one tempo, even if the clock is stopped.
  func setConstantTempo(_ tempo: Tempo) throws {
    guard case .ppqn(let resolution) = snapshot.clock.tempoMap.division else { return }
    try setTempoMap(TempoMap(ppqn: resolution, tempo: tempo))
    JSONReport.tell(tempo)
  }
}
