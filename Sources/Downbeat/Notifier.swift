// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import ClockService
internal import MIDIMessages
internal import MusicSequences
internal import MusicalTime
internal import Realtime
internal import SequencePlayback
internal import Synchronization

/// Tells whoever listens of facts when they are heard, from a thread of its own.
final class Notifier: Sendable {
  private let ring: FactRing
  private let wait: DeadlineWait
  private let mustStop = Atomic(false)
  /// Where reference time lies on the host's clock, and the maps of the newest score of which the
  /// event thread emits.
  private let transport: Transport
  /// What sounds, whose units may change their latency.
  private let plan: RenderPlan?
  /// Who is told.
  let observers = Observers<PlaybackEvent>()
  /// The scores of which something is still to be told, by the edition of their maps.
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

  /// Remembers a score whose events are to come.
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

  /// Has ways meet anew where a unit has changed its latency.
  private func followLatencies() {
    guard let plan, plan.latencyVaries else { return }
    do { try plan.followLatencies() } catch {
      // The graph goes on as it is; who edits it next is told.
    }
  }

  /// Lets go of scores that were replaced and of which nothing is still to be told.
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
