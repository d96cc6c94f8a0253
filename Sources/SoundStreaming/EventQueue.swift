// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// What was received and waits to be taken, and what the taker asks for: all that is shared by it
/// and the thread that receives.
final class EventQueue: Sendable {
  /// How a stream is over.
  typealias End = Result<Void, HTTPError>
  /// What a taker is given.
  typealias Taken = Result<HTTPSource.Event?, HTTPError>

  private struct State {
    var events: [HTTPSource.Event] = []
    /// The first that waits; what lies before it was taken.
    var first = 0
    var cost = 0
    var end: End?
    var isCancelled = false
    var seek: Int64?
    /// Whether the thread waits for room.
    var isPaused = false
    var reply: HTTPReply?
    var address: String
    var taker: CheckedContinuation<Taken, Never>?

    mutating func pop() -> HTTPSource.Event? {
      guard first < events.count else { return nil }
      let event = events[first]
      cost -= event.cost
      first += 1
      // Pieces of sound are not kept when they were taken.
      if first >= max(16, events.count / 2) || first == events.count {
        events.removeFirst(first)
        first = 0
      }
      return event
    }

    /// What a taker is given now; nil where it is to wait.
    mutating func answer() -> Taken? {
      if isCancelled { return .success(nil) }
      if let event = pop() { return .success(event) }
      // A place that was asked for is yet to come.
      guard seek == nil, let end else { return nil }
      return end.map { nil }
    }
  }

  private let state: Mutex<State>
  private let room: Int

  init(room: Int, address: String = "") {
    self.room = max(room, 16 << 10)
    state = Mutex(State(address: address))
  }

  /// The address with all redirects; it may contain a password.
  var address: String {
    get { state.withLock { $0.address } }
    set { state.withLock { $0.address = newValue } }
  }

  /// What the server has said; nil before it has.
  var reply: HTTPReply? { state.withLock { $0.reply } }
  /// Whether nothing more is wanted.
  var isCancelled: Bool { state.withLock { $0.isCancelled } }
  /// Whether another place is asked for, or nothing.
  var isOvertaken: Bool { state.withLock { $0.seek != nil || $0.isCancelled } }

  /// Whether there is room for more; where there is none it is waited for until half is free.
  func hasRoom() -> Bool {
    state.withLock { state in
      let limit = state.isPaused ? room / 2 : room - 1
      let isFree = state.cost <= limit || state.isCancelled || state.seek != nil
      state.isPaused = !isFree
      return isFree
    }
  }

  /// Whether the thread waits for room, and there is some now.
  var isToWake: Bool { state.withLock { $0.isPaused && $0.cost <= room / 2 } }

  /// Adds an event; nothing happens where another place is asked for, or nothing.
  func push(_ event: HTTPSource.Event) {
    change { state in
      guard state.seek == nil, !state.isCancelled else { return }
      if case .opened(let reply) = event { state.reply = reply }
      state.events.append(event)
      state.cost += event.cost
    }
  }

  /// Says that nothing more comes.
  func finish(_ end: End) { change { $0.end = end } }

  /// Takes the place that is asked for.
  func takeSeek() -> Int64? {
    state.withLock { state in
      defer { state.seek = nil }
      if state.seek != nil { state.end = nil }
      return state.seek
    }
  }

  /// Asks for another place; what waits is dropped.
  func seek(to offset: Int64) {
    state.withLock { state in
      state.events.removeAll { !$0.outlivesSeek }
      (state.first, state.cost) = (0, state.events.reduce(0) { $0 + $1.cost })
      state.seek = offset
    }
  }

  /// Wants nothing more; what waits is dropped.
  func cancel() {
    change { state in
      state.events.removeAll()
      (state.first, state.cost, state.isCancelled) = (0, 0, true)
    }
  }

  /// Takes the next event; nil at the end.
  ///
  /// - Precondition: one taker at a time.
  func next() async -> Taken {
    await withCheckedContinuation { (taker: CheckedContinuation<Taken, Never>) in
      let answer = state.withLock { state -> Taken? in
        precondition(state.taker == nil, "only one task at a time can read events")
        let answer = state.answer()
        if answer == nil { state.taker = taker }
        return answer
      }
      if let answer { taker.resume(returning: answer) }
    }
  }

  /// Changes what is shared, and wakes the taker where that has something for it.
  private func change(_ body: (inout State) -> Void) {
    let waking = state.withLock { state -> (CheckedContinuation<Taken, Never>, Taken)? in
      body(&state)
      guard let taker = state.taker, let answer = state.answer() else { return nil }
      state.taker = nil
      return (taker, answer)
    }
    if let (taker, answer) = waking { taker.resume(returning: answer) }
  }
}
