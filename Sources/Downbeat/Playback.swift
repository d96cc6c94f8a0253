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
  ///   - sequence: what is played.
  ///   - ports: where; none where only clocks are sent.
  ///   - options: how it begins.
  ///   - sync: what it follows and leads.
  ///   - machine: the clock that it runs by; nil for the machine's own.
  /// - Throws: `SequenceError`, `TimeError` where times do not fit; `RealtimeError` where no thread
  ///   can be had; what a port throws when it is gone.
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
      score, parts: [], kit: nil, own: [], moved: [], plan: nil, rate: nil, output: nil,
      ports, options, sync, machine: machine)
  }

  init(
    _ score: PlayerScore, parts: [TrackPart], kit: ClipKit?,
    own: [any PlayableUnit], moved: [any ParametricUnit], plan: RenderPlan?, rate: SampleRate?,
    output: (any OutputUnit)?,
    _ ports: [PlaybackPort], _ options: PlaybackOptions, _ sync: ClockSync,
    machine: (any MachineClock)? = nil
  ) throws {
    let machine = try machine ?? MonotonicClock()
    self.machine = machine
    patience = options.outputPatience
    memoryRefusal = options.locksMemory ? Self.lockMemory() : nil
    unsafe synthesisers = parts.map(\.instrument)
    unsafe self.own = own
    board = kit?.board
    unsafe self.output = output
    self.plan = plan
    let player = MusicPlayer(score)
    player.restartsHeldNotes = options.restartsHeldNotes
    player.device = options.device ?? (parts.isEmpty ? .published : .synthesizer)
    player.stateLeft = options.stateLeft
    let reference =
      if let output {
        ReferenceClock(
          rate: output.format.rate, latency: output.latency, graphLatency: plan?.latency ?? 0)
      } else {
        ReferenceClock()
      }
    let graphDelay = Duration.nanoseconds(Self.nanoseconds(plan?.latency ?? 0, rate))
    let origin = output == nil ? TimeBase.host.time(at: machine.now) : .zero
    let router = Router()
    var names: [String] = []
    // Without a synthesiser the first of the program's own plays what nothing else does.
    let main = parts.isEmpty ? own.first : nil
    if let main {
      names.append(main.name)
      _ = router.addDestination(main.sink(with: kit))
    }
    for part in parts {
      names.append(part.share.name)
      _ = router.addDestination(part.instrument.sink(with: kit))
    }
    let synths = main == nil ? parts.map(\.share) : [TrackPart.Share()]
    for port in ports {
      names.append(port.name)
      // What is in line counts in the output's frames, and knows nothing of the graph's latency.
      let inLine = output?.inLine(port.sink)
      _ = router.addDestination(
        inLine ?? PortSink(port.sink, reference, behind: sync.master),
        delay: port.delay + (inLine == nil ? .zero : graphDelay))
    }
    var named = own.dropFirst(main == nil ? 0 : 1).map { ($0.name, $0.sink()) }
    for unit in moved { named.append((unit.name, unit.parameters)) }
    for (name, sink) in named {
      names.append(name)
      _ = router.addDestination(sink)
    }
    let control = Control(
      score: score,
      transforms: synths.map { _ in options.transform } + ports.map(\.transform)
        + own.dropFirst(main == nil ? 0 : 1).map { _ in options.transform }
        + moved.map { _ in MessageTransform() },
      filters: synths.map { _ in PortFilter() } + ports.map { PortFilter($0.filter) }
        + named.map { _ in PortFilter() })
    routing = Routing(
      names, synths: synths, namedCount: named.count,
      bankMode: parts.first?.instrument.configuration.bankMode ?? .auto)
    let ring = FactRing()
    router.addObserver(ring)
    let routes = try routing.routes(of: score.sequence, control.filters, control.transforms)
    clockRoutes = sync.addDestinations(to: router, along: reference, inLineDelay: graphDelay) {
      output?.inLine($0)
    }
    for route in routes + clockRoutes { router.addRoute(route) }
    var clock = MusicClock(tempoMap: score.tempoMap)
    try clock.setPlayRate(options.playRate, at: origin)
    clock.setLoop(options.loop, at: origin)
    clock.locate(to: options.start, at: origin)
    let scheduler = EventScheduler(
      clock: clock, sources: [player], router: router, start: origin, reference: reference)
    let period = Duration.nanoseconds(Self.nanoseconds(output?.periodFrames ?? 0, rate))
    let lane = scheduler.lane
    let usesPorts = !ports.isEmpty || !clockRoutes.isEmpty
    lane.horizon = period + (usesPorts ? EventThread.portHorizon : EventThread.horizon)
    if output != nil { lane.leastHorizon = period + EventThread.horizon }
    lane.use(sync)
    let startsAtOnce = options.startsAtOnce && sync.master == nil
    scheduler.lead = Self.wholeQuanta(max(period, EventThread.period), rate)
    scheduler.look(at: origin)
    if startsAtOnce, !usesPorts {
      try scheduler.start(from: options.start, at: origin)
    }
    if output != nil { try scheduler.step(at: origin) } else { try router.rehearse() }
    self.control = Mutex(control)
    patienceEnd = machine.now + patience
    unsafe self.player = player
    // The event thread's from here on; the output is asked what any thread may ask, and by it alone
    // what one may.
    nonisolated(unsafe) let owned = scheduler
    transport = try unsafe Transport(
      owned, machine: machine, position: Self.position(of: output, plan, reference))
    notifier = try Notifier(ring, score, of: transport, plan)
    notifying = try notifier.run()
    output?.catchUp { [weak transport] in transport?.catchUp() }
    do {
      if let plan { try output?.start(plan, at: .zero) }
      if let output { try board?.follow(output, rendering: plan) { [transport] in transport.base } }
    } catch {
      end(draining: false)
      throw error
    }
    if startsAtOnce, usesPorts {
      // Once everything runs: on a busy machine threads may take longer than a horizon to come up,
      // and what was due meanwhile would be left out.
      let lead = EventThread.portHorizon + max(period, EventThread.period)
      try transport.start(from: options.start, lead: Self.wholeQuanta(lead, rate))
    }
  }

  deinit {
    end(draining: false)
  }

  /// How far an output has rendered; nil without one.
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

  /// A time; with an output, that of the quantum that follows: a song begins with one, as offline, so
  /// that all that happens block by block happens at the same frames of it.
  private static func wholeQuanta(_ time: Duration, _ rate: SampleRate?) -> Duration {
    guard let rate else { return time }
    let frames = Int(
      rate.frame(at: ReferenceTime(nanoseconds: time.nanosecondsRoundedUp)).frames)
    return .nanoseconds(nanoseconds((frames / AudioFormat.quantum + 1) * AudioFormat.quantum, rate))
  }

  private static func nanoseconds(_ frames: Int, _ rate: SampleRate?) -> Int64 {
    rate?.timeRoundedUp(of: SampleTime(frames: Int64(frames))).nanoseconds ?? 0
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
