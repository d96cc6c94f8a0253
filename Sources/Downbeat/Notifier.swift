// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import ClockService
internal import MIDIMessages
internal import MusicSequences
internal import MusicalTime
internal import Realtime
internal import SequencePlayback
internal import Synchronization

/// Reports facts to listeners when they are audible, from a separate thread.
final class Notifier: Sendable {
  private let ring: FactRing
  private let wait: DeadlineWait
  private let mustStop = Atomic(false)
  /// Provides the relation of reference time to host time, and the edition of the score that the
  /// event thread plays.
  private let transport: Transport
  /// The plan that is played; its units may change their latency.
  private let plan: RenderPlan?
  /// The listeners.
  let observers = Observers<PlaybackEvent>()
  /// The scores with facts still to report, by the edition of their maps.
  private let scores: Mutex<[UInt32: PlayerScore]>

  init(
    _ ring: FactRing, _ score: PlayerScore, of transport: Transport, _ plan: RenderPlan?
  ) throws(RealtimeError) {
    self.ring = ring
    self.plan = plan
    self.transport = transport
    scores = Mutex([0: score])
    wait = try DeadlineWait()
  }

  /// Starts the thread.
  func run() throws(RealtimeError) -> RealtimeThread {
    try RealtimeThread(name: "notifier", priority: 10) { self.loop() }
  }

  func stop() {
    mustStop.store(true, ordering: .releasing)
    wait.wake()
  }

  /// Remembers a score whose facts will be reported.
  func add(_ score: PlayerScore, generation: UInt32) {
    scores.withLock { $0[generation] = score }
  }

  private func loop() {
    var queue: [TimedEvent] = []
    while true {
      let isLast = mustStop.load(ordering: .acquiring)
      let snapshot = transport.snapshot
      ring.takeEach { entry in
        switch entry {
        case .fact(let event): queue.append(event)
        case .cancel(let time): queue.removeAll { $0.time >= time }
        }
      }
      let base = snapshot.base
      let now = HostTime(nanoseconds: DeadlineWait.now)
      var next = now.advanced(byNanoseconds: 5_000_000)
      var late: [TimedEvent] = []
      for event in queue {
        let due = base?.hostTime(of: event.time) ?? (isLast ? now : HostTime(nanoseconds: .max))
        if due <= now || isLast { tell(event, at: due) } else { late.append(event) }
        if due > now { next = min(next, due) }
      }
      queue = late
      if isLast { return observers.end() }
      followLatencies()
      forgetScores(before: snapshot.edition, keepingThoseOf: queue)
      _ = wait.wait(until: next.nanoseconds)
    }
  }

  /// Aligns the paths of the graph again if a unit has changed its latency.
  private func followLatencies() {
    guard let plan, plan.latencyVaries else { return }
    do { try plan.followLatencies() } catch {
      // The graph stays as it is; the next edit reports the error.
    }
  }

  /// Removes replaced scores whose facts have all been reported.
  private func forgetScores(before generation: UInt32, keepingThoseOf queue: [TimedEvent]) {
    scores.withLock { scores in
      guard scores.keys.contains(where: { $0 < generation }) else { return }
      let waiting = Set(queue.map(\.generation))
      scores = scores.filter { $0.key >= generation || waiting.contains($0.key) }
    }
  }

  private func tell(_ event: TimedEvent, at time: HostTime) {
    guard !observers.isEmpty else { return }
    let score = scores.withLock { $0[event.generation] }
    guard let kind = Self.kind(of: event, score) else { return }
    observers.tell(PlaybackEvent(time: time, kind: kind))
  }

  private static func kind(of event: TimedEvent, _ score: PlayerScore?) -> PlaybackEvent.Kind? {
    guard case .fact(let fact) = event.payload else { return nil }
    switch fact {
    case .started(let tick): return .started(tick)
    case .stopped(let tick): return .stopped(tick)
    case .located(let tick): return .located(tick)
    case .looped(let pass, let tick): return .looped(pass: Int(pass), to: tick)
    case .late(let nanoseconds): return .late(by: .nanoseconds(nanoseconds))
    case .ended: return nil
    case .finished: return .finished
    case .event(let tick):
      let isTempo = event.track == TimedEvent.noTrack
      guard let sequence = score?.sequence else { return nil }
      let track = isTempo ? sequence.tempoTrack : sequence.tracks[Int(event.track)]
      return .event(
        track.events[Int(event.index)], track: isTempo ? nil : Int(event.track), at: tick)
    }
  }
}
