// SPDX-License-Identifier: Apache-2.0
internal import Realtime
internal import Synchronization

/// Tells whoever listens of a clock's events, from a thread of its own: the event thread only
/// notes them.
final class ClockListeners: Sendable {
  /// Told of an event.
  typealias Listener = @Sendable (ClockEvent) -> Void

  private let board: Board
  private let thread: RealtimeThread

  /// What the thread and the rest share.
  private final class Board: Sendable {
    let ring = RingBuffer<ClockEvent>(minimumCapacity: 1024)
    let wait: DeadlineWait
    let mustEnd = Atomic(false)
    let listeners = Mutex<(next: Int, bodies: [Int: Listener])>((0, [:]))

    init() throws(RealtimeError) {
      wait = try DeadlineWait()
    }

    func run() {
      while true {
        let isLast = mustEnd.load(ordering: .acquiring)
        while let event = ring.reader.pop() {
          for listener in listeners.withLock({ Array($0.bodies.values) }) { listener(event) }
        }
        if isLast { return }
        _ = wait.wait(until: nil)
      }
    }
  }

  init() throws(RealtimeError) {
    let board = try Board()
    self.board = board
    thread = try RealtimeThread(name: "clock events", priority: nil) { board.run() }
  }

  /// Takes note of an event, on the event thread; of more than fit, the first are told.
  func note(_ event: ClockEvent) {
    _ = board.ring.writer.push(event)
    board.wait.wake()
  }

  /// Has something told of everything from now on.
  func add(_ body: @escaping Listener) -> Int {
    board.listeners.withLock { listeners in
      listeners.next += 1
      listeners.bodies[listeners.next] = body
      return listeners.next
    }
  }

  func remove(_ listener: Int) {
    board.listeners.withLock { $0.bodies[listener] = nil }
  }

  /// Tells what is left, and ends the thread.
  func end() {
    board.mustEnd.store(true, ordering: .releasing)
    board.wait.wake()
    // The last one to let go of a clock may be a listener.
    if !thread.isCurrent { thread.join() }
  }
}
