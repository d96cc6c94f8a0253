internal import ClockService
// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import MIDIMessages
internal import MusicSequences
internal import MusicalTime
internal import SequencePlayback
internal import Synchronization

/// The playback of a sequence in slices that a program renders: faster than real time, and always
/// with the same samples.
///
/// The host time begins with that of the start and advances by the frames of the slices.
final class SliceRun: SequenceRun, SliceListener, @unchecked Sendable {
  // Unchecked: all changes are made under the lock.

  private let sequence: SequenceBox
  private let host: any SliceHost
  private let graph: (any GraphDestination)?
  private let rate: SampleRate
  private let lock = Mutex(())
  private let router = Router()
  private let scheduler: EventScheduler
  private let player: SequencePlayback.MusicPlayer
  private let log = UserEventLog()
  private var sinks: [any SliceDestination] = []
  private var places: [String: Int] = [:]
  private var played: PlayedScore
  private var speed: Double
  private var known: PlayerAnchor?
  private var isEdited = false
  /// The host time of frame 0.
  private let origin = MonotonicClock.now
  /// The number of frames in the slices so far.
  private var frame: Int64 = 0

  /// The number of frames by which events are sent beyond a slice: they may still belong to its
  /// last quantum.
  private static let reach: Int64 = 33

  /// - Throws: `ParamError` if a time is out of range.
  init(
    _ sequence: SequenceBox, _ played: PlayedScore, rate speed: Double,
    by host: any SliceHost, at rate: SampleRate
  ) throws(StatusError) {
    (self.sequence, self.host, self.rate) = (sequence, host, rate)
    graph = played.graph
    (self.played, self.speed) = (played, speed)
    player = SequencePlayback.MusicPlayer(played.score)
    player.device = .synthesizer
    let start = TimeBase.host.time(at: origin)
    var clock = MusicClock(tempoMap: played.score.tempoMap)
    do {
      try clock.setPlayRate(PlayerRun.ratio(speed), at: start)
    } catch {
      throw .parameter
    }
    scheduler = EventScheduler(clock: clock, sources: [player], router: router, start: start)
    graph?.startForPlayer(played.score)
    router.addObserver(log)
    for route in routes(of: played) { router.addRoute(route) }
  }

  /// The routes of the tracks; new destinations are added.
  private func routes(of played: PlayedScore) -> [Route] {
    for (name, destination) in played.destinations where places[name] == nil {
      places[name] = router.addDestination(sink(for: destination))
    }
    return played.score.sequence.tracks.indices.map { index in
      let name = played.score.sequence.tracks[index].settings.destination ?? ""
      return Route(track: UInt16(clamping: index), to: places[name] ?? 0)
    }
  }

  private func sink(for destination: TrackDestination) -> any EventSink<ReferenceTime> {
    let node: AUNode?
    switch destination {
    case .endpoint(let endpoint):
      return PortSink(TrackDestinations.openSink(endpoint) ?? SilentSink(), ReferenceClock())
    case .outlet(let outlet):
      guard let slices = outlet.slices else {
        return PortSink(outlet.openSink() ?? SilentSink(), ReferenceClock())
      }
      return begun(slices.open())
    case .standard: node = nil
    case .node(let number): node = number
    }
    guard let instrument = graph?.instrument(node) else {
      return PortSink(SilentSink(), ReferenceClock())
    }
    return begun(SliceSink(instrument))
  }

  private func begun<Sink: SliceDestination>(_ sink: Sink) -> any EventSink<ReferenceTime> {
    sink.begin(at: time(of: frame))
    sinks.append(sink)
    return sink
  }

  private func time(of frame: Int64) -> ReferenceTime {
    TimeBase.host.time(at: origin).advanced(
      saturating: rate.timeRoundedUp(of: SampleTime(frames: frame)).nanoseconds)
  }

  var now: UInt64 { lock.withLock { _ in UInt64(time(of: frame).nanoseconds) } }

  var anchor: PlayerAnchor? { lock.withLock { _ in known } }

  func start(at beat: MusicTimeStamp) {
    lock.withLock { _ in
      attempt {
        try scheduler.locate(toTicks: played.ticks(at: beat))
        try scheduler.start()
      }
      setAnchor(at: beat)
    }
    host.add(self)
  }

  func move(to beat: MusicTimeStamp) {
    lock.withLock { _ in attempt { try scheduler.stop() } }
    start(at: beat)
  }

  func end() {
    lock.withLock { _ in attempt { try scheduler.stop() } }
    host.remove(self)
  }

  func setRate(_ rate: Double) {
    lock.withLock { _ in
      attempt { try scheduler.setPlayRate(PlayerRun.ratio(rate)) }
      speed = rate
      if let known { setAnchor(at: known.beat(at: soonest)) }
    }
  }

  func noteEdit() { lock.withLock { _ in isEdited = true } }

  /// The time at which a command takes effect that is sent now.
  private var soonest: UInt64 { UInt64(scheduler.soonest.nanoseconds) }

  private func setAnchor(at beat: MusicTimeStamp) {
    known = PlayerAnchor(beat: beat, hostTime: soonest, rate: speed, map: played.map)
  }

  /// If an operation fails, nothing changes.
  private func attempt(_ body: () throws -> Void) {
    do { try body() } catch { return }
  }

  func prepare(_ frames: Int) {
    let calls = lock.withLock { _ in
      let start = time(of: frame)
      for sink in sinks { sink.begin(at: start) }
      if isEdited { takeEdits() }
      attempt { try scheduler.step(to: time(of: frame + Int64(frames) + Self.reach)) }
      return userEvents()
    }
    // Without the lock, because a callback may request the time.
    for call in calls { call() }
    lock.withLock { _ in frame += Int64(frames) }
  }

  private func takeEdits() {
    isEdited = false
    attempt {
      let next = try PlayedScore(sequence, after: played.score)
      var score = next.score
      try scheduler.setRoutes(routes(of: next))
      try scheduler.interrupt { position, clock, buffer in
        try clock.setTempoMap(score.tempoMap, at: position.time)
        player.swap(&score, at: position, into: &buffer)
      }
      let beat = known?.beat(at: soonest)
      played = next
      if let beat { setAnchor(at: beat) }
    }
  }

  /// The calls of the sequence's callback for the user events that were sent.
  private func userEvents() -> [() -> Void] {
    log.take().compactMap { event in
      let tracks = player.score.sequence.tracks
      guard event.generation == player.generation, case .fact(.event(let tick)) = event.payload,
        tracks.indices.contains(Int(event.track)), played.tracks.indices.contains(Int(event.track)),
        let call = played.call(
          tracks[Int(event.track)].events[Int(event.index)], track: Int(event.track), at: tick,
          rate: speed)
      else { return nil }
      return { [sequence] in sequence.tell(call) }
    }
  }
}

/// A sink that stores the user events of a run.
private final class UserEventLog: EventSink {
  private var events: [TimedEvent] = []

  func send(_ events: Span<TimedEvent>, payloads: Span<UInt8>) -> Int {
    for index in events.indices { self.events.append(events[index]) }
    return events.count
  }

  func cancel(from time: ReferenceTime) { events.removeAll { $0.time >= time } }

  /// The events since the last call.
  func take() -> [TimedEvent] {
    defer { events = [] }
    return events
  }
}
