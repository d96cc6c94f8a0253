// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import ArgumentParser
internal import ClockService
internal import MIDIMessages
internal import MIDIPorts
internal import MusicalTime
internal import Realtime

/// Which clock is looked at, and in which maps its position is told.
struct FollowOptions: ParsableArguments {
  private static let step: Int64 = 5_000_000

  @OptionGroup var ports: PortOptions

  @Option(
    help: ArgumentHelp(
      "Follow something else than a port's MIDI clock: mtc:PORT or clock:NAME.",
      valueName: "master"))
  var sync: SyncSource?

  @OptionGroup var gap: GapOption

  @OptionGroup var setting: ClockSetting

  @Option(
    parsing: .unconditional, help: "Sample rate, such as 44.1k, in which samples are counted.")
  var rate = RateChoice.standard

  @Option(name: .customLong("for"), parsing: .unconditional, help: "End after a time, such as 10s.")
  var duration: Duration?

  /// The master that the flags name.
  private func source() throws -> SyncSource {
    guard sync == nil || ports.port.isEmpty else {
      throw ValidationError("-p PORT and --sync both name what to follow: choose one")
    }
    let source = sync ?? SyncSource(.midi, ports.texts)
    try gap.check(source)
    return gap.applied(to: source)
  }

  /// The maps: those of the flags, or of the clock that is served.
  private func context(of source: SyncSource) throws -> TimeContext {
    var context = try setting.context()
    context.sampleRate = rate.rate
    guard source.kind == .clock, setting.song == nil else { return context }
    guard [setting.bpm, setting.ramp, setting.meter].allSatisfy({ $0 == nil }) else {
      throw ValidationError("--bpm, --ramp and --meter: clock:NAME has maps of its own")
    }
    let state = try source.reader().read().value
    context.tempoMap = try state.tempoMap()
    context.meterMap = try state.meterMap()
    return context
  }

  /// Follows until a signal or the end of the time; `show` is called often, on this thread.
  func follow(_ show: (EventLane, TimeContext) throws -> Void) throws {
    let signals = SignalWatch()
    let wait = try SignalWait(signals)
    let source = try source()
    var context = try context(of: source)
    var edition: UInt32 = 0
    let scheduler = EventScheduler(
      clock: MusicClock(tempoMap: context.tempoMap), sources: [], router: Router(),
      start: Self.now)
    let lane = scheduler.lanes[0]
    let keeper = try source.drive(lane, context: context, waits: ports.wait, signals: wait) {
      if let words = $0.sentence { Terminal.say("downbeat: \(words)") }
    }
    signals.holdForCleanUp()
    let descriptors = scheduler.descriptors + (keeper?.descriptors ?? [])
    let deadline = duration?.after(DeadlineWait.now) ?? .max
    while DeadlineWait.now < deadline {
      let limit = min(DeadlineWait.now + Self.step, deadline)
      if case .signal(let number) = wait.until(limit, readable: descriptors) {
        SignalWatch.die(by: number)
      }
      try keeper?.update().told()
      try scheduler.step(at: Self.now)
      if setting.song == nil, let master = lane.master, master.servedEdition != edition {
        edition = master.servedEdition
        try takeMaps(of: master, scheduler, &context)
      }
      try show(lane, context)
    }
  }

  private static var now: ReferenceTime {
    TimeBase.host.time(at: HostTime(nanoseconds: DeadlineWait.now))
  }

  /// Counts in the maps that are served by now.
  private func takeMaps(
    of master: ExternalClock, _ scheduler: EventScheduler, _ context: inout TimeContext
  ) throws {
    guard let state = master.served else { return }
    context.meterMap = try state.meterMap()
    let map = try state.tempoMap()
    guard map != context.tempoMap else { return }
    context.tempoMap = map
    try scheduler.interrupt { position, clock, _ in
      try clock.setTempoMap(map, at: position.time)
    }
  }
}
