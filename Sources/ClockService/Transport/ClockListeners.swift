// SPDX-License-Identifier: Apache-2.0
internal import Realtime
internal import Synchronization

/// Tells whoever listens of a clock's events, from a thread of its own: the event thread only
/// notes them.
///
/// An event is told once the state that it led to can be read. The thread is there from the first listener on.
final class ClockListeners: Sendable {
  let observers: Observers<ClockEvent>

  private let board: Board
  private let waiters: CommandWaiters
  private let thread = Mutex<RealtimeThread?>(nil)

  /// What the thread and the rest share.
  private final class Board: Sendable {
    let ring = RingBuffer<ClockEvent>(minimumCapacity: 1024)
    let wait: DeadlineWait
    /// Events noted; the event thread's.
    let notedCount = Atomic(0)
    /// Those of them whose state is published.
    let publishedCount = Atomic(0)
    let isHeard = Atomic(false)
    let mustEnd = Atomic(false)

    init() throws(RealtimeError) {
      wait = try DeadlineWait()
    }

    /// Lets all that was noted be told, on the event thread.
    ///
    /// - Returns: whether that is anything new.
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

  /// Takes note of an event, on the event thread; of more than fit, the first are told.
  func note(_ event: ClockEvent) {
    guard board.isHeard.load(ordering: .acquiring) else { return }
    if board.ring.writer.push(event) { board.notedCount.add(1, ordering: .relaxed) }
  }

  /// Sees to it that events are told.
  ///
  /// - Throws: `RealtimeError` where no thread can be had.
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

  /// Tells what is left, and ends the thread.
  func end() {
    guard !board.mustEnd.exchange(true, ordering: .acquiringAndReleasing) else { return }
    board.wait.wake()
    // The last one to let go of a clock may be a listener.
    if let thread = thread.withLock({ $0 }), !thread.isCurrent { thread.join() }
    observers.end()
  }
}

// Who waits for commands.
extension ClockListeners {
  /// The number of the step that is published next; asked on the event thread.
  var nextStep: Int { waiters.nextStep }

  /// Takes note, on the event thread, that what a step changed can be seen.
  func notePublished() {
    let isNew = board.publish()
    if waiters.countStep() || isNew { board.wait.wake() }
  }

  /// Takes note, on the event thread, that it does nothing more.
  func noteEnd() {
    _ = board.publish()
    waiters.end()
    board.wait.wake()
  }

  func hasPublished(_ progress: CommandProgress) -> Bool { waiters.hasPublished(progress) }

  /// Waits until a command can be seen to be done.
  func wait(for progress: CommandProgress) async throws {
    try start()
    try await waiters.wait(for: progress)
  }
}
