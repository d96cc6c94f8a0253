// SPDX-License-Identifier: Apache-2.0
internal import Realtime
internal import Synchronization

/// Delivers a clock's events to listeners on a separate thread; the event thread only stores them.
///
/// An event is delivered once the resulting state can be read. The thread starts with the first
/// listener.
final class ClockListeners: Sendable {
  let observers: Observers<ClockEvent>

  private let board: Board
  private let waiters: CommandWaiters
  private let thread = Mutex<RealtimeThread?>(nil)

  /// The state that the threads share.
  private final class Board: Sendable {
    let ring = RingBuffer<ClockEvent>(minimumCapacity: 1024)
    let wait: DeadlineWait
    /// The number of stored events; written by the event thread.
    let notedCount = Atomic(0)
    /// The number of events whose state is published.
    let publishedCount = Atomic(0)
    let isHeard = Atomic(false)
    let mustEnd = Atomic(false)

    init() throws(RealtimeError) {
      wait = try DeadlineWait()
    }

    /// Releases stored events for delivery, on the event thread.
    ///
    /// - Returns: True if there are new events.
    func publish() -> Bool {
      let count = notedCount.load(ordering: .relaxed)
      return publishedCount.exchange(count, ordering: .acquiringAndReleasing) != count
    }

    func run(_ observers: Observers<ClockEvent>, _ waiters: CommandWaiters) {
      var toldCount = 0
      while true {
        let isLast = mustEnd.load(ordering: .acquiring)
        let limit = isLast ? .max : publishedCount.load(ordering: .acquiring)
        while toldCount < limit, let event = ring.reader.pop() {
          observers.tell(event)
          toldCount += 1
        }
        waiters.settle()
        if isLast { return }
        _ = wait.wait(until: nil)
      }
    }
  }

  init() throws(RealtimeError) {
    board = try Board()
    observers = Observers()
    waiters = CommandWaiters()
  }

  /// Stores an event, on the event thread; if the buffer is full, the event is dropped.
  func note(_ event: ClockEvent) {
    guard board.isHeard.load(ordering: .acquiring) else { return }
    if board.ring.writer.push(event) { board.notedCount.add(1, ordering: .relaxed) }
  }

  /// Starts the delivery of events.
  ///
  /// - Throws: `RealtimeError` if the thread cannot be started.
  func start() throws(RealtimeError) {
    try thread.withLock { thread throws(RealtimeError) in
      guard thread == nil, !board.mustEnd.load(ordering: .acquiring) else { return }
      thread = try RealtimeThread(name: "clock events", priority: nil) {
        [board, observers, waiters] in
        board.run(observers, waiters)
      }
      board.isHeard.store(true, ordering: .releasing)
    }
  }

  deinit {
    end()
  }

  /// Delivers the remaining events, and ends the thread.
  func end() {
    guard !board.mustEnd.exchange(true, ordering: .acquiringAndReleasing) else { return }
    board.wait.wake()
    // A listener may release the last reference to a clock.
    if let thread = thread.withLock({ $0 }), !thread.isCurrent { thread.join() }
    observers.end()
  }
}

// Waiting for commands.
extension ClockListeners {
  /// The number of the step that is published next; called on the event thread.
  var nextStep: Int { waiters.nextStep }

  /// Notes, on the event thread, that the changes of a step can be read.
  func notePublished() {
    let isNew = board.publish()
    if waiters.countStep() || isNew { board.wait.wake() }
  }

  /// Notes, on the event thread, that it has ended.
  func noteEnd() {
    _ = board.publish()
    waiters.end()
    board.wait.wake()
  }

  func hasPublished(_ progress: CommandProgress) -> Bool { waiters.hasPublished(progress) }

  /// Waits until the effect of a command can be read.
  func wait(for progress: CommandProgress) async throws {
    try start()
    try await waiters.wait(for: progress)
  }
}
