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
  /// Host time at which reference time 0 is heard.
  let heardOrigin = Atomic<Int64>(0)
  private let state = Mutex(State())

  private struct State {
    var listeners: [Int: @Sendable (PlaybackEvent) -> Void] = [:]
    var nextListener = 0
    var scores: [UInt32: PlayerScore] = [:]
  }

  init(_ ring: FactRing, _ score: PlayerScore) throws(RealtimeError) {
    self.ring = ring
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

  /// Has something told of everything from now on.
  func listen(_ body: @escaping @Sendable (PlaybackEvent) -> Void) -> Int {
    state.withLock { state in
      state.nextListener += 1
      state.listeners[state.nextListener] = body
      return state.nextListener
    }
  }

  func forget(_ listener: Int) {
    state.withLock { $0.listeners[listener] = nil }
  }

  private func loop() {
    var queue: [TimedEvent] = []
    while true {
      let isLast = mustStop.load(ordering: .acquiring)
      ring.takeEach { entry in
        switch entry {
        case .fact(let event): queue.append(event)
        case .cancel(let time): queue.removeAll { $0.time >= time }
        }
      }
      let origin = heardOrigin.load(ordering: .acquiring)
      let now = HostTime(nanoseconds: DeadlineWait.now)
      var next = now.advanced(byNanoseconds: 5_000_000)
      var late: [TimedEvent] = []
      for event in queue {
        let due = event.time.advanced(saturating: origin)
        if due <= now || isLast { tell(event, at: due) } else { late.append(event) }
        if due > now { next = min(next, due) }
      }
      queue = late
      if isLast { return }
      _ = wait.wait(until: next.nanoseconds)
    }
  }

  private func tell(_ event: TimedEvent, at time: HostTime) {
    let (score, listeners) = state.withLock { state in
      state.scores = state.scores.filter { $0.key >= event.generation }
      return (state.scores[event.generation], Array(state.listeners.values))
    }
    guard !listeners.isEmpty, let kind = Self.kind(of: event, score) else { return }
    for listener in listeners { listener(PlaybackEvent(time: time, kind: kind)) }
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
