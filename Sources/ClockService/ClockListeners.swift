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

  private struct Listeners {
    var next = 0
    var bodies: [Int: (told: Listener, onEnd: @Sendable () -> Void)] = [:]
    var hasEnded = false
  }

  /// What the thread and the rest share.
  private final class Board: Sendable {
    let ring = RingBuffer<ClockEvent>(minimumCapacity: 1024)
    let wait: DeadlineWait
    let mustEnd = Atomic(false)
    let listeners = Mutex(Listeners())

    init() throws(RealtimeError) {
      wait = try DeadlineWait()
    }

    func run() {
      while true {
        let isLast = mustEnd.load(ordering: .acquiring)
        while let event = ring.reader.pop() {
          for listener in listeners.withLock({ Array($0.bodies.values) }) { listener.told(event) }
        }
        if isLast { return end() }
        _ = wait.wait(until: nil)
      }
    }

    private func end() {
      let last = listeners.withLock { listeners in
        listeners.hasEnded = true
        defer { listeners.bodies = [:] }
        return Array(listeners.bodies.values)
      }
      for listener in last { listener.onEnd() }
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

  /// Has something told of everything from now on, and of the end.
  func add(
    _ body: @escaping Listener, onEnd: @escaping @Sendable () -> Void = {}
  ) -> Int {
    let (number, hasEnded) = board.listeners.withLock { listeners in
      listeners.next += 1
      if !listeners.hasEnded { listeners.bodies[listeners.next] = (body, onEnd) }
      return (listeners.next, listeners.hasEnded)
    }
    if hasEnded { onEnd() }
    return number
  }

  func remove(_ listener: Int) {
    // What a listener holds may have listeners of its own to let go of.
    _ = board.listeners.withLock { $0.bodies.removeValue(forKey: listener) }
  }

  deinit {
    end()
  }

  /// Tells what is left, and ends the thread.
  func end() {
    guard !board.mustEnd.exchange(true, ordering: .acquiringAndReleasing) else { return }
    board.wait.wake()
    // The last one to let go of a clock may be a listener.
    if !thread.isCurrent { thread.join() }
  }
}
