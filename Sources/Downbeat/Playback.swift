// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import ClipPlayback
public import ClockService
public import MIDIMessages
public import MusicSequences
internal import MusicalTime
public import Realtime
public import SequencePlayback
internal import SoundFontInstruments
internal import Synchronization

/// Playback of a sequence on an output, on ports, or on both in line.
///
/// Commands take effect within a few milliseconds. Events that were sent ahead are taken back, so
/// that none is lost or played twice. With an output, time is counted in its frames, and ports get
/// the host times at which those frames are audible.
///
/// It plays while a reference to it exists.
///
/// - Note: Any thread may use it. Not real-time safe.
public final class Playback: Sendable {
  /// How the event thread is scheduled.
  public var scheduling: RealtimeThread.Scheduling { transport.scheduling }
  /// Why memory is not kept out of swap, where that was asked for and refused.
  public let memoryRefusal: RealtimeError?

  let transport: Transport
  let machine: any MachineClock
  let notifier: Notifier
  private let notifying: RealtimeThread
  let control: Mutex<Control>
  let hasStopped = Atomic(false)
  /// When an output must have begun.
  private let patienceEnd: HostTime
  private let patience: Duration
  let routing: Routing
  let clockRoutes: [Route]
  // Its protocol lets any thread ask for position and fault; one thread stops it, once.
  nonisolated(unsafe) private let output: (any OutputUnit)?
  private let plan: RenderPlan?
  /// The output's first frame after which all that the effects hear was silent.
  private let silentSince = Atomic<Int64>(.max)
  // Asked whether it is silent, which any thread may.
  nonisolated(unsafe) private let synthesisers: [InstrumentUnit]
  // Asked whether they are silent, which any thread may.
  nonisolated(unsafe) private let own: [any PlayableUnit]
  /// The board of the clips that notes start.
  private let board: SoundBoard?
  /// The event thread's from the first step on; commands take it there.
  nonisolated(unsafe) let player: MusicPlayer

  struct Control: Sendable {
    var score: PlayerScore
    /// How often the score was edited: the edition of its maps.
    var generation: UInt32 = 0
    var transforms: [MessageTransform]
    var filters: [PortFilter]
  }

  /// Plays a sequence on ports alone: time is the host's.
  ///
  /// - Parameters:
  ///   - sequence: The sequence.
  ///   - ports: The ports; none if only clocks are sent.
  ///   - options: Start, speed, loop and transform.
  ///   - sync: The clock that is followed, and the clocks that are sent.
  ///   - machine: The clock that it runs by; nil for the machine's own.
  /// - Throws: `SequenceError` or `TimeError` if times do not fit; `RealtimeError` if a thread
  ///   cannot be started; the error of a port that is gone.
  public convenience init(
    _ sequence: MusicSequence, on ports: [PlaybackPort],
    options: PlaybackOptions = PlaybackOptions(), sync: ClockSync = ClockSync(),
    machine: (any MachineClock)? = nil
  ) throws {
    try self.init(
      PlayerScore(sequence), on: ports, options: options, sync: sync, machine: machine)
  }

  /// Plays a score on ports alone: time is the host's.
  ///
  /// - Throws: As for a sequence.
  public convenience init(
    _ score: PlayerScore, on ports: [PlaybackPort],
    options: PlaybackOptions = PlaybackOptions(), sync: ClockSync = ClockSync(),
    machine: (any MachineClock)? = nil
  ) throws {
    try self.init(
      score, PlaybackSound(), on: ports, options: options, sync: sync, machine: machine)
  }

  /// Plays a score on an output, on ports, or on both.
  init(
    _ score: PlayerScore, _ sound: PlaybackSound, on ports: [PlaybackPort],
    options: PlaybackOptions, sync: ClockSync, machine: (any MachineClock)? = nil
  ) throws {
    let machine = try machine ?? MonotonicClock()
    self.machine = machine
    patience = options.outputPatience
    memoryRefusal = options.locksMemory ? Self.lockMemory() : nil
    unsafe synthesisers = sound.parts.map(\.instrument)
    unsafe own = sound.own
    board = sound.kit?.board
    let output = sound.output
    unsafe self.output = output
    plan = sound.plan
    let reference = sound.makeReferenceClock()
    let destinations = PlaybackDestinations(
      sound, ports, reference: reference, master: sync.master)
    let router = destinations.router
    let control = destinations.control(of: score, options)
    routing = destinations.routing
    let ring = FactRing()
    router.addObserver(ring)
    let routes = try routing.routes(of: score.sequence, control.filters, control.transforms)
    clockRoutes = sync.addDestinations(
      to: router, along: reference, inLineDelay: sound.graphDelay
    ) { output?.inLine($0) }
    for route in routes + clockRoutes { router.addRoute(route) }
    let player = Self.player(of: score, sound, options)
    let origin = output == nil ? TimeBase.host.time(at: machine.now) : .zero
    let usesPorts = !ports.isEmpty || !clockRoutes.isEmpty
    let startsAtOnce = options.startsAtOnce && sync.master == nil
    let scheduler = EventScheduler(
      clock: try Self.clock(of: score, options, at: origin), sources: [player], router: router,
      start: origin, reference: reference)
    Self.setHorizons(of: scheduler, sound, usesPorts: usesPorts)
    scheduler.lane.use(sync)
    scheduler.look(at: origin)
    if startsAtOnce, !usesPorts {
      try scheduler.start(from: options.start, at: origin)
    }
    if output != nil { try scheduler.step(at: origin) } else { try router.rehearse() }
    self.control = Mutex(control)
    patienceEnd = machine.now + patience
    unsafe self.player = player
    // From here on only the event thread uses it. Of the output it uses what any thread may use, and
    // it alone uses the rest.
    nonisolated(unsafe) let owned = scheduler
    transport = try unsafe Transport(
      owned, machine: machine, position: Self.position(of: output, plan, reference))
    notifier = try Notifier(ring, score, of: transport, plan)
    notifying = try notifier.run()
    try begin(sound)
    if startsAtOnce, usesPorts {
      // Once everything runs. On a busy machine threads may take longer than a horizon to start, and
      // events that are due before that would be left out.
      let lead = EventThread.portHorizon + max(sound.period, EventThread.period)
      try transport.start(from: options.start, lead: sound.wholeQuanta(lead))
    }
  }

  deinit {
    end(draining: false)
  }

  private static func player(
    of score: PlayerScore, _ sound: PlaybackSound, _ options: PlaybackOptions
  ) -> MusicPlayer {
    let player = MusicPlayer(score)
    player.restartsHeldNotes = options.restartsHeldNotes
    player.playsToEnd = options.playsToEnd
    player.device = options.device ?? (sound.parts.isEmpty ? .published : .synthesizer)
    player.stateLeft = options.stateLeft
    return player
  }

  /// A clock at the start of the song.
  private static func clock(
    of score: PlayerScore, _ options: PlaybackOptions, at origin: ReferenceTime
  ) throws -> MusicClock {
    var clock = MusicClock(tempoMap: score.tempoMap)
    try clock.setPlayRate(options.playRate, at: origin)
    clock.setLoop(options.loop, at: origin)
    clock.locate(to: options.start, at: origin)
    return clock
  }

  /// Sets how far ahead events are sent.
  private static func setHorizons(
    of scheduler: EventScheduler, _ sound: PlaybackSound, usesPorts: Bool
  ) {
    let (lane, period) = (scheduler.lane, sound.period)
    lane.horizon = period + (usesPorts ? EventThread.portHorizon : EventThread.horizon)
    if sound.output != nil { lane.leastHorizon = period + EventThread.horizon }
    scheduler.lead = sound.wholeQuanta(max(period, EventThread.period))
  }

  /// Starts the output and the clips; if that fails, ends the playback.
  private func begin(_ sound: PlaybackSound) throws {
    guard let output = sound.output else { return }
    output.catchUp { [weak transport] in transport?.catchUp() }
    do {
      if let plan { try output.start(plan, at: .zero) }
      try board?.follow(output, rendering: plan) { [transport] in transport.base }
    } catch {
      end(draining: false)
      throw error
    }
  }

  /// The time up to which an output has rendered; nil without one.
  private static func position(
    of output: (any OutputUnit)?, _ plan: RenderPlan?, _ reference: ReferenceClock
  ) -> (@Sendable () -> ReferenceTime)? {
    nonisolated(unsafe) let reference = reference
    nonisolated(unsafe) let output = output
    guard unsafe output != nil else { return nil }
    return {
      guard let output = unsafe output else { return .zero }
      unsafe reference.graphLatency = plan?.latency ?? 0
      return unsafe reference.look(output.clock, at: output.position)
    }
  }

  private static func lockMemory() -> RealtimeError? {
    do {
      try MemoryLocking.lockAll()
      return nil
    } catch {
      return error
    }
  }

  /// Whether the last note has rung out in the synthesiser and in the effects; the device may still
  /// play its buffer.
  public var hasFinished: Bool {
    guard isSilent else {
      silentSince.store(.max, ordering: .relaxed)
      return false
    }
    guard let position = unsafe output?.position.frames, let tail = plan?.tail, tail > 0 else {
      return true
    }
    let first = silentSince.min(position, ordering: .relaxed).newValue
    return position - first >= tail
  }

  /// Whether nothing is to come and nothing sounds but effects.
  private var isSilent: Bool {
    unsafe transport.hasFinished && synthesisers.allSatisfy(\.isSilent)
      && (board?.activeCount ?? 0) == 0 && own.allSatisfy(\.isSilent)
  }

  /// Whether the output's device is gone and its return is waited for.
  public var isOutputAway: Bool { unsafe output?.isAway == true }

  /// What ended the playback before its time, such as a device that is gone, or that never began;
  /// or nil.
  public var failure: (any Error)? { unsafe transport.failure ?? output?.fault ?? standstill }

  /// The error that an output is which never began.
  private var standstill: PlaybackError? {
    guard unsafe output != nil, !isOutputAway, !hasStopped.load(ordering: .acquiring),
      transport.base == nil, machine.now > patienceEnd
    else { return nil }
    return .outputNeverBegan(after: patience)
  }

  /// Ends the threads and lets go of the device; ports on which anything may sound are silenced.
  ///
  /// The first call counts.
  ///
  /// - Parameter draining: whether what the device holds is heard to its end; if not, it is
  ///   silent at once.
  public func end(draining: Bool) {
    guard !hasStopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
    unsafe output?.stop(draining: draining)
    board?.end()
    // At its end a song has released what it struck, and what rings out is left to. Those who
    // follow are told in any case.
    transport.end(silencing: !transport.hasFinished)
    notifier.stop()
    // A listener may be the one to stop it.
    if !notifying.isCurrent { notifying.join() }
  }
}
