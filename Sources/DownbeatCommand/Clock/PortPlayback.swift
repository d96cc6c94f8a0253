// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import ClockService
internal import Downbeat
internal import MIDIMessages
internal import MusicSequences
internal import MusicalTime
internal import Realtime
internal import SequencePlayback
internal import Synchronization

/// A song played to ports, on its own clock or a master's.
struct PortPlayback {
  let sync: SyncOptions
  let ports: PortOptions

  /// How long the last events take to leave, in nanoseconds.
  private static let drainTime: Int64 = 500_000_000

  /// Plays a sequence to its end, until a signal, or until the master stops for good.
  func play(_ sequence: MusicSequence, signals: SignalWatch) throws {
    let wait = try SignalWait(signals)
    let score = try PlayerScore(sequence)
    let context = try sync.context(of: TimeContext(of: sequence))
    let scheduler = EventScheduler(
      clock: MusicClock(tempoMap: score.tempoMap), sources: [MusicPlayer(score)],
      router: Router(), start: HostTime(nanoseconds: DeadlineWait.now))
    let lane = scheduler.lanes[0]
    lane.horizon = EventThread.portHorizon
    // Clocks first: a clock goes before the notes of its instant.
    let clocks = try sync.addOutputs(to: scheduler, context: context, signals: wait)
    let port = try ports.openOutput(named: "downbeat", signals: wait)
    scheduler.router.addRoute(Route(to: scheduler.router.addDestination(port)))
    let fate = MasterFate()
    try sync.sync?.drive(lane, context: context, signals: wait, fate.note)
    // Nothing has left yet that could not be taken back: ports keep it in the kernel's queue.
    scheduler.lead = 2_000_000
    signals.holdForCleanUp()
    let engine = try ClockEngine(scheduler, port: port)
    if sync.sync == nil { engine.start(at: .zero) }
    var number: Int32?
    while number == nil, !engine.hasFinished, !fate.isLost {
      number = try engine.wait(wait, until: DeadlineWait.now + 20_000_000)
    }
    let limit = HostTime(nanoseconds: DeadlineWait.now + Self.drainTime)
    if number == nil, !fate.isLost { _ = try port.drain(until: limit) }
    try engine.stop()
    for clock in clocks { _ = try clock.drain(until: limit) }
    if let number { SignalWatch.die(by: number) }
    if fate.isLost {
      throw Failure(.ioError, "sync: stopped: \(StopReason.sourceLost.words)")
    }
  }
}

/// What became of a master, told on the event thread and asked on another.
final class MasterFate: Sendable {
  private let lost = Atomic(false)

  /// Whether it ran and was lost without a Stop.
  var isLost: Bool { lost.load(ordering: .acquiring) }

  /// Takes note of an event, and tells it.
  func note(_ event: FollowerEvent) {
    if case .stopped(.sourceLost, _) = event { lost.store(true, ordering: .releasing) }
    if let words = event.sentence { Terminal.say("downbeat: \(words)") }
  }
}
