// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The received events and the requests of the reader, which are shared by the reader and the
/// receiving thread.
final class EventQueue: Sendable {
  /// The end of a stream.
  typealias End = Result<Void, HTTPError>
  /// The result of reading an event.
  typealias Taken = Result<HTTPSource.Event?, HTTPError>

  private struct State {
    var events: [HTTPSource.Event] = []
    /// The index of the next event; earlier ones were read.
    var first = 0
    var cost = 0
    var end: End?
    var isCancelled = false
    var seek: Int64?
    /// True if the thread waits for room.
    var isPaused = false
    var reply: HTTPReply?
    var address: String
    var taker: CheckedContinuation<Taken, Never>?

    mutating func pop() -> HTTPSource.Event? {
      guard first < events.count else { return nil }
      let event = events[first]
      cost -= event.cost
      first += 1
      // The bytes of events that were read are released.
      if first >= max(16, events.count / 2) || first == events.count {
        events.removeFirst(first)
        first = 0
      }
      return event
    }

    /// The result for the reader now; nil if it must wait.
    mutating func answer() -> Taken? {
      if isCancelled { return .success(nil) }
      if let event = pop() { return .success(event) }
      // The position that was requested has not been reached yet.
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

  /// The server's first reply; nil before it arrives.
  var reply: HTTPReply? { state.withLock { $0.reply } }
  /// True if the transfer was cancelled.
  var isCancelled: Bool { state.withLock { $0.isCancelled } }
  /// True if a seek was requested, or the transfer was cancelled.
  var isOvertaken: Bool { state.withLock { $0.seek != nil || $0.isCancelled } }

  /// Returns true if there is room for more bytes.
  ///
  /// After a full queue, half of it must be free.
  func hasRoom() -> Bool {
    state.withLock { state in
      let limit = state.isPaused ? room / 2 : room - 1
      let isFree = state.cost <= limit || state.isCancelled || state.seek != nil
      state.isPaused = !isFree
      return isFree
    }
  }

  /// True if the thread waits for room, and there is room now.
  var isToWake: Bool { state.withLock { $0.isPaused && $0.cost <= room / 2 } }

  /// Adds an event, unless a seek was requested or the transfer was cancelled.
  func push(_ event: HTTPSource.Event) {
    change { state in
      guard state.seek == nil, !state.isCancelled else { return }
      if case .opened(let reply) = event { state.reply = reply }
      state.events.append(event)
      state.cost += event.cost
    }
  }

  /// Notes the end of the stream.
  func finish(_ end: End) { change { $0.end = end } }

  /// Returns and removes the requested position.
  func takeSeek() -> Int64? {
    state.withLock { state in
      defer { state.seek = nil }
      if state.seek != nil { state.end = nil }
      return state.seek
    }
  }

  /// Requests another position, and drops the waiting events.
  func seek(to offset: Int64) {
    state.withLock { state in
      state.events.removeAll { !$0.outlivesSeek }
      (state.first, state.cost) = (0, state.events.reduce(0) { $0 + $1.cost })
      state.seek = offset
    }
  }

  /// Cancels the transfer, and drops the waiting events.
  func cancel() {
    change { state in
      state.events.removeAll()
      (state.first, state.cost, state.isCancelled) = (0, 0, true)
    }
  }

  /// Waits for the next event; nil at the end.
  ///
  /// - Precondition: Only one task reads at a time.
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

  /// Changes the shared state, and resumes the reader if there is a result.
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
