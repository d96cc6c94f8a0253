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

/// Plays a sequence on an output, on ports, or on both in sync.
///
/// Commands take effect within a few milliseconds. Events that were sent in advance are then
/// cancelled and sent again, so that none is lost or played twice. With an output, time is measured
/// in frames of the output, and ports receive the host times at which these frames are audible.
///
/// Playback continues until the object is released.
///
/// - Note: Any thread. Not real-time safe.
public final class Playback: Sendable {
  /// The scheduling (priority and policy) that the event thread received.
  public var scheduling: RealtimeThread.Scheduling { transport.scheduling }
  /// The reason that memory could not be locked although the options requested it; nil if it was
  /// locked or the options did not request it.
  public let memoryRefusal: RealtimeError?

  let transport: Transport
  let machine: any MachineClock
  let notifier: Notifier
  private let notifying: RealtimeThread
  let control: Mutex<Control>
  let hasStopped = Atomic(false)
  /// The host time by which an output must have begun.
  private let patienceEnd: HostTime
  private let patience: Duration
  let routing: Routing
  let clockRoutes: [Route]
  // Its protocol allows any thread to read position and fault; one thread stops it, once.
  nonisolated(unsafe) private let output: (any OutputUnit)?
  private let plan: RenderPlan?
  /// The first frame of the output after which all input of the effects was silent.
  private let silentSince = Atomic<Int64>(.max)
  // Only `isSilent` is read, which any thread may do.
  nonisolated(unsafe) private let synthesisers: [InstrumentUnit]
  // Only `isSilent` is read, which any thread may do.
  nonisolated(unsafe) private let own: [any PlayableUnit]
  /// The board of the clips that notes start.
  private let board: SoundBoard?
  /// Used only by the event thread after the first step; commands use it there.
  nonisolated(unsafe) let player: MusicPlayer

  struct Control: Sendable {
    var score: PlayerScore
    /// The number of edits, which is the edition of the score's maps.
    var generation: UInt32 = 0
    var transforms: [MessageTransform]
    var filters: [PortFilter]
  }

  /// Plays a sequence on ports only, without an output; the host clock is used for timing.
  ///
  /// - Parameters:
  ///   - sequence: The sequence.
  ///   - ports: The ports; empty if only clocks are sent.
  ///   - options: Start, speed, loop and transform.
  ///   - sync: The clock that is followed, and the clocks that are sent.
  ///   - machine: The clock that is used for timing; nil for the host clock.
  /// - Throws: `SequenceError` or `TimeError` if times do not fit 64 bits; `RealtimeError` if a
  ///   thread cannot be started; the error of a port that is disconnected.
  public convenience init(
    _ sequence: MusicSequence, on ports: [PlaybackPort],
    options: PlaybackOptions = PlaybackOptions(), sync: ClockSync = ClockSync(),
    machine: (any MachineClock)? = nil
  ) throws {
    try self.init(
      PlayerScore(sequence), on: ports, options: options, sync: sync, machine: machine)
  }

  /// Plays a score on ports only, without an output; the host clock is used for timing.
  ///
  /// - Throws: The same errors as the initializer with a sequence.
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
    // From here on only the event thread uses the scheduler. Any thread may use the thread-safe
    // part of the output, and only the event thread uses the rest.
    nonisolated(unsafe) let owned = scheduler
    transport = try unsafe Transport(
      owned, machine: machine, position: Self.position(of: output, plan, reference))
    notifier = try Notifier(ring, score, of: transport, plan)
    notifying = try notifier.run()
    try begin(sound)
    if startsAtOnce, usesPorts {
      // Only when all threads run. On a busy machine threads may take longer than a horizon to
      // start, and events that are due before that would be left out.
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

  /// True if the last note and the effects have decayed; the device may still have to play its
  /// buffer.
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

  /// True if no event will follow and only effects sound.
  private var isSilent: Bool {
    unsafe transport.hasFinished && synthesisers.allSatisfy(\.isSilent)
      && (board?.activeCount ?? 0) == 0 && own.allSatisfy(\.isSilent)
  }

  /// True while the output's device is lost and the output waits for its return.
  public var isOutputAway: Bool { unsafe output?.isAway == true }

  /// The error that ended the playback early, such as a device that was lost or did not begin to
  /// play; nil without an error.
  public var failure: (any Error)? { unsafe transport.failure ?? output?.fault ?? standstill }

  /// The error of an output that never began; nil if it began or may still begin.
  private var standstill: PlaybackError? {
    guard unsafe output != nil, !isOutputAway, !hasStopped.load(ordering: .acquiring),
      transport.base == nil, machine.now > patienceEnd
    else { return nil }
    return .outputNeverBegan(after: patience)
  }

  /// Ends the threads, closes the device, and silences ports on which notes may sound.
  ///
  /// Only the first call has an effect.
  ///
  /// - Parameter draining: True to play the device's buffer to its end; false for silence
  ///   immediately.
  public func end(draining: Bool) {
    guard !hasStopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
    unsafe output?.stop(draining: draining)
    board?.end()
    // A song that has ended has already released its notes, which may fade out. Clock followers are
    // informed in any case.
    transport.end(silencing: !transport.hasFinished)
    notifier.stop()
    // A listener may call `end`, on the notifier's thread.
    if !notifying.isCurrent { notifying.join() }
  }
}
