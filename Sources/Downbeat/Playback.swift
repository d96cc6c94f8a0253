// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import ClipPlayback
public import ClockService
internal import FluidSynthInstruments
internal import Glibc
public import MIDIMessages
public import MusicSequences
public import MusicalTime
public import Realtime
internal import SequencePlayback
internal import Synchronization

/// A sequence that sounds: on an output, on ports, or on both in line.
///
/// Commands take effect within a few milliseconds: what was sent for later is taken back, so
/// nothing is lost by them or played twice. With an output, time is counted in its frames; ports
/// beside it are told the host times at which those frames are heard.
///
/// It sounds for as long as it is held.
///
/// - Note: any thread may use it. Not real-time safe.
public final class Playback: Sendable {
  /// How the event thread is scheduled.
  public var scheduling: RealtimeThread.Scheduling { events.scheduling }
  /// Why memory is not kept out of swap, where that was asked for and refused.
  public let memoryRefusal: RealtimeError?

  private let events: EventThread
  private let notifier: Notifier
  private let notifying: RealtimeThread
  private let status: StatusBoard
  private let control: Mutex<Control>
  private let hasStopped = Atomic(false)
  private let routing: Routing
  private let clockRoutes: [Route]
  // Its protocol lets any thread ask for position and fault; one thread stops it, once.
  nonisolated(unsafe) private let output: (any OutputUnit)?
  // Asked whether it is silent, which any thread may.
  nonisolated(unsafe) private let instrument: InstrumentUnit?
  /// The board of the clips that notes start.
  private let board: SoundBoard?
  /// The event thread's from the first step on; commands take it there.
  nonisolated(unsafe) private let player: MusicPlayer

  private struct Control: Sendable {
    var score: PlayerScore
    var generation: UInt32 = 0
    /// The tempo maps, the newest last, after those by which the event thread may still run.
    var maps: [(generation: UInt32, map: TempoMap)]
    var transforms: [MessageTransform]
    var filters: [MessageFilter]

    mutating func map(of generation: UInt32) -> TempoMap {
      while maps.count > 1, maps[0].generation < generation { maps.removeFirst() }
      return maps[0].map
    }
  }

  /// Plays a sequence on ports alone: time is the host's.
  ///
  /// - Parameters:
  ///   - sequence: what is played.
  ///   - ports: where; none where only clocks are sent.
  ///   - options: how it begins.
  ///   - sync: what it follows and leads.
  /// - Throws: `SequenceError`, `TimeError` where times do not fit; `RealtimeError` where no thread
  ///   can be had; what a port throws when it is gone.
  public convenience init(
    _ sequence: MusicSequence, on ports: [PlaybackPort],
    options: PlaybackOptions = PlaybackOptions(), sync: ClockSync = ClockSync()
  ) throws {
    try self.init(
      PlayerScore(sequence), instrument: nil, kit: nil, plan: nil, rate: nil, output: nil, ports,
      options, sync)
  }

  init(
    _ score: PlayerScore, instrument: InstrumentUnit?, kit: ClipKit?, plan: RenderPlan?,
    rate: SampleRate?, output: (any OutputUnit)?, _ ports: [PlaybackPort],
    _ options: PlaybackOptions, _ sync: ClockSync
  ) throws {
    memoryRefusal = options.locksMemory ? Self.lockMemory() : nil
    unsafe self.instrument = instrument
    board = kit?.board
    unsafe self.output = output
    let player = MusicPlayer(score)
    player.restartsHeldNotes = options.restartsHeldNotes
    let reference =
      if let output {
        ReferenceClock(rate: output.format.rate, latency: output.latency)
      } else {
        ReferenceClock()
      }
    let origin = output == nil ? Self.position(of: nil, reference) : .zero
    let router = Router()
    var names: [String] = []
    if let instrument {
      names.append("synth")
      _ = router.addDestination(kit.map { KitSplit($0, instrument) } ?? instrument)
    }
    for port in ports {
      names.append(port.name)
      _ = router.addDestination(PortSink(port.sink, reference), delay: port.delay)
    }
    let control = Control(
      score: score, maps: [(0, score.tempoMap)],
      transforms: (instrument == nil ? [] : [options.transform]) + ports.map(\.transform),
      filters: (instrument == nil ? [] : [MessageFilter()]) + ports.map(\.filter))
    routing = Routing(names, hasInstrument: instrument != nil)
    let ring = FactRing()
    router.addObserver(ring)
    let routes = try routing.routes(
      of: score.sequence, control.filters, control.transforms)
    clockRoutes = sync.addDestinations(to: router, along: reference)
    for route in routes + clockRoutes { router.addRoute(route) }
    var clock = MusicClock(tempoMap: score.tempoMap)
    try clock.setPlayRate(options.playRate, at: origin)
    clock.setLoop(options.loop, at: origin)
    clock.locate(to: options.start, at: origin)
    let scheduler = EventScheduler(
      clock: clock, sources: [player], router: router, start: origin, reference: reference)
    let period = Self.nanoseconds(output?.periodFrames ?? 0, rate)
    let lane = scheduler.lanes[0]
    let usesPorts = !ports.isEmpty || !clockRoutes.isEmpty
    lane.horizon = period + (usesPorts ? EventThread.portHorizon : EventThread.horizon)
    if output != nil { lane.leastHorizon = period + EventThread.horizon }
    lane.use(sync)
    let startsAtOnce = options.startsAtOnce && sync.master == nil
    scheduler.lead = max(period, EventThread.period)
    scheduler.look(at: origin)
    if startsAtOnce, !usesPorts {
      try scheduler.start(at: options.start, time: origin)
    }
    if output != nil { try scheduler.step(at: origin) } else { try router.rehearse() }
    let status = StatusBoard(lane.snapshotState(at: origin))
    self.status = status
    notifier = try Notifier(ring, score) { status.read().state.base }
    self.control = Mutex(control)
    unsafe self.player = player
    events = try Self.thread(scheduler, player, output, notifier, status)
    notifying = try notifier.run()
    do {
      if let plan { try output?.start(plan) }
      if let output { try board?.follow(output) { status.read().state.base } }
    } catch {
      stop(draining: false)
      throw error
    }
    if startsAtOnce, usesPorts { startOnPorts(at: options.start) }
  }

  deinit {
    stop(draining: false)
  }

  /// Starts once everything runs: on a busy machine threads may take longer than a horizon to come
  /// up, and what was due meanwhile would be left out.
  private func startOnPorts(at tick: Tick) {
    while unsafe output != nil, outputClock == nil, failure == nil { usleep(1_000) }
    // The first event is handed over a horizon before it is due.
    events.perform { scheduler in
      let time = scheduler.soonest.advanced(byNanoseconds: EventThread.portHorizon)
      try scheduler.start(at: tick, time: scheduler.lanes[0].nextBeat(atOrAfter: time))
    }
  }

  private static func thread(
    _ scheduler: EventScheduler, _ player: MusicPlayer, _ output: (any OutputUnit)?,
    _ notifier: Notifier, _ status: StatusBoard
  ) throws -> EventThread {
    // The event thread's from here on; the output is asked what any thread may ask, and by it alone
    // what one may.
    nonisolated(unsafe) let owned = scheduler
    nonisolated(unsafe) let ownedPlayer = player
    nonisolated(unsafe) let reference = scheduler.reference
    nonisolated(unsafe) let output = output
    let position: @Sendable () -> ReferenceTime = { unsafe Self.position(of: output, reference) }
    return try unsafe EventThread(owned, position: position) { scheduler, position in
      notifier.generation.store(unsafe ownedPlayer.generation, ordering: .releasing)
      status.write(
        StatusBoard.Status(
          state: scheduler.lanes[0].snapshotState(at: position),
          generation: unsafe ownedPlayer.generation, clock: scheduler.reference.clock))
    }
  }

  /// How far an output has rendered; without one it is now.
  private static func position(
    of output: (any OutputUnit)?, _ reference: ReferenceClock
  ) -> ReferenceTime {
    guard let output else {
      return TimeBase.host.time(at: HostTime(nanoseconds: DeadlineWait.now))
    }
    return reference.look(output.clock, at: output.position)
  }

  private static func lockMemory() -> RealtimeError? {
    do {
      try MemoryLocking.lockAll()
      return nil
    } catch {
      return error
    }
  }

  private static func nanoseconds(_ frames: Int, _ rate: SampleRate?) -> Int64 {
    rate?.timeRoundedUp(of: SampleTime(frames: Int64(frames))).nanoseconds ?? 0
  }

  /// Whether the last note has rung out in the synthesiser; the device may still play its buffer.
  public var hasFinished: Bool {
    unsafe events.hasFinished && instrument?.isSilent != false && (board?.activeCount ?? 0) == 0
  }

  /// Whether the output's device is gone and its return is waited for.
  public var isOutputAway: Bool { unsafe output?.isAway == true }

  /// What ended the playback before its time, such as a device that is gone; or nil.
  public var failure: (any Error)? { unsafe events.failure ?? output?.fault }

  /// Waits for the end, lets the device play what it holds, and lets go of it.
  ///
  /// - Throws: what ended the playback before its time; the device has been let go of then, too.
  public func waitUntilFinished() throws {
    while !hasFinished, failure == nil, !hasStopped.load(ordering: .acquiring) { usleep(5_000) }
    let failure = failure
    stop(draining: failure == nil)
    if let failure { throw failure }
  }

  /// Ends the threads and lets go of the device; ports on which anything may sound are silenced.
  ///
  /// The first call counts.
  ///
  /// - Parameter draining: whether what the device holds is heard to its end; if not, it is
  ///   silent at once.
  public func stop(draining: Bool) {
    guard !hasStopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
    unsafe output?.stop(draining: draining)
    board?.stop()
    // At its end a song has released what it struck, and what rings out is left to. Those who
    // follow are told in any case.
    events.stop(silencing: !events.hasFinished)
    notifier.stop()
    // A listener may be the one to stop it.
    if !notifying.isCurrent { notifying.join() }
  }
}

extension Playback {
  /// Starts where the playback stands: at a future host time, or as soon as can be.
  public func start(at host: HostTime? = nil) {
    events.perform { scheduler in
      let time = host.flatMap { scheduler.reference.base?.time(at: $0) }
      try scheduler.resume(at: time)
    }
  }

  /// Stops the music where it is; `start` goes on from there.
  public func pause() {
    events.perform { try $0.stop() }
  }

  /// Goes to a tick, playing or not.
  public func locate(to tick: Tick) {
    events.perform { try $0.locate(to: tick) }
  }

  /// Goes to a time in any format: `33|1`, `00:01:00:00`, `1:30`, `50%`, `@marker`.
  ///
  /// - Throws: `TimeError` where the text has no meaning in the sequence.
  public func locate(to text: String) throws {
    let score = control.withLock { $0.score }
    let context = try score.sequence.timeContext()
    let ticks = try context.ticks(of: context.position(of: TimeExpression(text)))
    locate(to: Tick(try ticks.rounded(.ceil, unit: "ticks").value))
  }

  /// Changes how fast the music runs: 2 is twice as fast as written.
  ///
  /// - Throws: `TimeError` for a rate outside 0…32, zero not included.
  public func setPlayRate(_ rate: Ratio) throws {
    var trial = MusicClock(tempoMap: control.withLock { $0.score.tempoMap })
    try trial.setPlayRate(rate, at: .zero)
    events.perform { try $0.setPlayRate(rate) }
  }

  /// Changes the part that is played over and over; nil plays on.
  public func setLoop(_ loop: LoopRange?) {
    events.perform { try $0.setLoop(loop) }
  }

  /// Mutes a track, or lets it be heard again.
  ///
  /// - Throws: `SequenceError` where the sequence's times do not fit 64 bits.
  public func setMuted(_ isMuted: Bool, track: Int) throws {
    try edit { $0.tracks[track].settings.isMuted = isMuted }
  }

  /// Lets only this track and others like it be heard, or no longer.
  ///
  /// - Throws: `SequenceError` where the sequence's times do not fit 64 bits.
  public func setSoloed(_ isSoloed: Bool, track: Int) throws {
    try edit { $0.tracks[track].settings.isSoloed = isSoloed }
  }

  /// Changes what becomes of messages on their way to a destination, by its name.
  ///
  /// The synthesiser's is `synth`. What is held is released where it was struck.
  ///
  /// - Throws: `PlaybackError.unknownDestination` where there is none of the name.
  public func setTransform(_ transform: MessageTransform, of destination: String) throws {
    let index = try routing.place(of: destination)
    try control.withLock { control in
      control.transforms[index] = transform
      send(try routes(of: control.score.sequence, control))
    }
  }

  /// Brings a destination that was away, by its name, into the state the music has now.
  ///
  /// - Throws: `PlaybackError.unknownDestination` where there is none of the name.
  public func restoreState(of destination: String) throws {
    let index = try routing.place(of: destination)
    nonisolated(unsafe) let player = unsafe player
    events.perform { scheduler in
      var state = EventBuffer()
      try scheduler.interrupt { position, _, _ in
        unsafe player.appendState(at: position, into: &state)
        try scheduler.router.send(state, to: index)
      }
    }
  }

  /// Changes the sequence while it plays.
  ///
  /// Notes that sound go on where the edited sequence still has them, and are released where it
  /// has not; nothing is repeated. Programs that are new need `SessionSettings.readsAllPresets`.
  ///
  /// - Throws: what the body throws; `SequenceError` where times do not fit 64 bits;
  ///   `PlaybackError.unknownDestination` where a track is to go to one that is not there. Then
  ///   nothing is changed.
  public func edit(_ body: (inout MusicSequence) throws -> Void) throws {
    try control.withLock { control in
      var sequence = control.score.sequence
      try body(&sequence)
      let score = try PlayerScore(sequence, after: control.score)
      let routes = try routes(of: sequence, control)
      control.score = score
      control.generation += 1
      control.maps.append((control.generation, score.tempoMap))
      _ = control.map(of: status.read().generation)
      notifier.add(score, generation: control.generation)
      let parcel = Parcel(score)
      nonisolated(unsafe) let player = unsafe player
      events.perform { scheduler in
        try scheduler.interrupt { position, clock, buffer in
          try clock.setTempoMap(parcel.score.tempoMap, at: position.time)
          unsafe player.swap(&parcel.score, at: position, into: &buffer)
        }
      }
      send(routes)
    }
  }

  /// The sequence as it is played.
  public var sequence: MusicSequence { control.withLock { $0.score.sequence } }

  private func routes(
    of sequence: MusicSequence, _ control: borrowing Control
  ) throws(PlaybackError) -> [Route] {
    try routing.routes(of: sequence, control.filters, control.transforms) + clockRoutes
  }

  private func send(_ routes: [Route]) {
    events.perform { scheduler in
      if scheduler.router.routes != routes { try scheduler.setRoutes(routes) }
    }
  }

  /// Carries a score to the player and the old one back, which is freed with the command.
  private final class Parcel: @unchecked Sendable {
    /// Written by the event thread alone, once it has been sent.
    var score: PlayerScore

    init(_ score: PlayerScore) {
      self.score = score
    }
  }
}

extension Playback {
  /// Which of two moments is meant: that at which events are sent, or that at which they sound.
  public typealias Moment = TimeBase.Moment

  /// Where the music stands now.
  ///
  /// - Note: never waits for the event thread.
  public func position(_ moment: Moment = .audible) -> TransportPosition {
    position(at: HostTime(nanoseconds: DeadlineWait.now), moment)
  }

  /// Where the music stands at a host time, or will if nothing is changed; the answer's own time is
  /// the transport's.
  public func position(at host: HostTime, _ moment: Moment = .audible) -> TransportPosition {
    snapshot.position(at: host, moment)
  }

  /// The next host time at which a tick sounds; nil where the music stands or never comes there, and
  /// before the output runs.
  public func hostTime(of tick: Tick, _ moment: Moment = .audible) -> HostTime? {
    snapshot.time(of: tick, from: HostTime(nanoseconds: DeadlineWait.now), moment)
  }

  /// What the music's own time and the host's have to do with one another as long as nothing is
  /// changed; nil where the music stands, and before the output runs.
  ///
  /// - Throws: `TimeError.overflow` where fractions do not fit 128 bits.
  public var anchor: HostAnchor? {
    get throws(TimeError) {
      try snapshot.anchor(at: HostTime(nanoseconds: DeadlineWait.now))
    }
  }

  /// Whether the music runs.
  public var isRunning: Bool { snapshot.isRunning }

  /// Everything that happens from now on until it is stopped, each told of when it is heard.
  public var happenings: AsyncStream<PlaybackEvent> {
    let notifier = notifier
    return AsyncStream { continuation in
      let listener = notifier.listen {
        continuation.yield($0)
      } onEnd: {
        continuation.finish()
      }
      continuation.onTermination = { _ in notifier.forget(listener) }
    }
  }

  /// Calls a closure with everything that happens, when it is heard, on the notifier's thread.
  public func observe(_ body: @escaping @Sendable (PlaybackEvent) -> Void) {
    _ = notifier.listen(body)
  }

  /// Calls a closure with each user event when it is heard: track, bytes, tick.
  public func onUserEvent(_ body: @escaping @Sendable (Int, [UInt8], Tick) -> Void) {
    observe { event in
      guard case .event(let told, let track?, let tick) = event.kind,
        case .user(let bytes) = told.content
      else { return }
      body(track, bytes, tick)
    }
  }

  /// Where the output's frames stand in host time, by its device's own pace; nil without an output,
  /// and before its first period.
  ///
  /// - Note: any thread.
  public var outputClock: SampleClock? { status.read().clock }

  private var snapshot: ClockSnapshot {
    let (now, map) = control.withLock { control in
      let now = status.read()
      return (now, control.map(of: now.generation))
    }
    return ClockSnapshot(now.state, of: MusicClock(tempoMap: map))
  }
}
