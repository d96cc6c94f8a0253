// SPDX-License-Identifier: Apache-2.0
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
  /// Where reference time lies on the host's clock; nil before the output runs.
  private let base: @Sendable () -> TimeBase?
  /// The newest score of which the event thread emits.
  let generation = Atomic<UInt32>(0)
  private let state = Mutex(State())

  private struct Listener {
    let told: @Sendable (PlaybackEvent) -> Void
    let onEnd: @Sendable () -> Void
  }

  private struct State {
    var listeners: [Int: Listener] = [:]
    var nextListener = 0
    var hasEnded = false
    var scores: [UInt32: PlayerScore] = [:]
  }

  init(
    _ ring: FactRing, _ score: PlayerScore, base: @escaping @Sendable () -> TimeBase?
  ) throws(RealtimeError) {
    self.ring = ring
    self.base = base
    wait = try DeadlineWait()
    state.withLock { $0.scores[0] = score }
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
    state.withLock { $0.scores[generation] = score }
  }

  /// Has something told of everything from now on, and of the end.
  func listen(
    _ body: @escaping @Sendable (PlaybackEvent) -> Void, onEnd: @escaping @Sendable () -> Void = {}
  ) -> Int {
    let (number, hasEnded) = state.withLock { state in
      state.nextListener += 1
      if !state.hasEnded {
        state.listeners[state.nextListener] = Listener(told: body, onEnd: onEnd)
      }
      return (state.nextListener, state.hasEnded)
    }
    if hasEnded { onEnd() }
    return number
  }

  func forget(_ listener: Int) {
    _ = state.withLock { $0.listeners.removeValue(forKey: listener) }
  }

  private func loop() {
    var queue: [TimedEvent] = []
    while true {
      let isLast = mustStop.load(ordering: .acquiring)
      let generation = generation.load(ordering: .acquiring)
      ring.takeEach { entry in
        switch entry {
        case .fact(let event): queue.append(event)
        case .cancel(let time): queue.removeAll { $0.time >= time }
        }
      }
      let base = base()
      let now = HostTime(nanoseconds: DeadlineWait.now)
      var next = now.advanced(byNanoseconds: 5_000_000)
      var late: [TimedEvent] = []
      for event in queue {
        let due = base?.hostTime(of: event.time) ?? (isLast ? now : HostTime(nanoseconds: .max))
        if due <= now || isLast { tell(event, at: due) } else { late.append(event) }
        if due > now { next = min(next, due) }
      }
      queue = late
      if isLast { return end() }
      forgetScores(before: generation, keepingThoseOf: queue)
      _ = wait.wait(until: next.nanoseconds)
    }
  }

  /// Lets go of scores that were replaced and of which nothing is still to be told.
  private func forgetScores(before generation: UInt32, keepingThoseOf queue: [TimedEvent]) {
    state.withLock { state in
      guard state.scores.keys.contains(where: { $0 < generation }) else { return }
      let waiting = Set(queue.map(\.generation))
      state.scores = state.scores.filter { $0.key >= generation || waiting.contains($0.key) }
    }
  }

  private func end() {
    let last = state.withLock { state in
      state.hasEnded = true
      defer { state.listeners = [:] }
      return Array(state.listeners.values)
    }
    for listener in last { listener.onEnd() }
  }

  private func tell(_ event: TimedEvent, at time: HostTime) {
    let (score, listeners) = state.withLock { state in
      (state.scores[event.generation], Array(state.listeners.values))
    }
    guard !listeners.isEmpty, let kind = Self.kind(of: event, score) else { return }
    for listener in listeners { listener.told(PlaybackEvent(time: time, kind: kind)) }
  }

  private static func kind(of event: TimedEvent, _ score: PlayerScore?) -> PlaybackEvent.Kind? {
    guard case .fact(let fact) = event.payload else { return nil }
    switch fact {
    case .started(let tick): return .started(tick)
    case .stopped(let tick): return .stopped(tick)
    case .located(let tick): return .located(tick)
    case .looped(let pass, let tick): return .looped(pass: Int(pass), to: tick)
    case .late(let nanoseconds): return .late(nanoseconds: nanoseconds)
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
