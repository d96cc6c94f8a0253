// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// A team of threads that share numbered jobs, for work without real-time deadlines.
///
/// - Note: Not real-time safe. Only one thread at a time may start work.
public final class WorkerTeam: Sendable {
  /// The number of threads that do the work, including the one that starts it.
  public let threadCount: Int
  private let board = Board()
  private let threads: [RealtimeThread]

  /// The number of processors that are online; at least 1.
  public static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Starts the threads.
  ///
  /// - Parameter threadCount: The number of threads that do the work, including the caller's; at
  ///   least 1.
  /// - Throws: `RealtimeError.cannotStartThread` if the system cannot start another thread.
  public init(threadCount: Int) throws(RealtimeError) {
    self.threadCount = max(1, threadCount)
    var started: [RealtimeThread] = []
    for _ in 1..<max(1, threadCount) {
      let board = board
      started.append(
        try RealtimeThread(name: "worker", priority: nil) {
          while board.waitForWork() { board.work() }
        })
    }
    threads = started
  }

  /// Performs the jobs 0..<`count`, each once and in any order, and returns when all are done.
  ///
  /// - Parameters:
  ///   - count: The number of jobs.
  ///   - job: Performs the job with a number; called on several threads at the same time.
  public func run(_ count: Int, _ job: (Int) -> Void) {
    withoutActuallyEscaping(job) { job in
      board.post(job, count: count, threadCount: threads.count)
      finish()
    }
  }

  /// Starts the jobs 0..<`count` on the other threads, and returns at once.
  ///
  /// - Precondition: The previous work is finished.
  public func start(_ count: Int, _ job: @escaping @Sendable (Int) -> Void) {
    board.post(job, count: count, threadCount: threads.count)
  }

  /// Performs the jobs that have not been started yet, and returns when all jobs of `start(_:_:)`
  /// are done.
  ///
  /// If `start(_:_:)` was not called, the function returns immediately.
  public func finish() {
    guard board.hasWork else { return }
    board.work()
    board.waitUntilDone(threadCount: threads.count)
  }

  deinit {
    board.dismiss(threadCount: threads.count)
    for thread in threads { thread.join() }
  }

  /// The present work of the threads.
  @safe
  private final class Board: @unchecked Sendable {
    // Unchecked: `job` and `count` are written before a semaphore, while the threads wait.
    private let go = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    private let done = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    private let next = Atomic(0)
    private let isOver = Atomic(false)
    private var job: ((Int) -> Void)?
    private var count = 0

    init() {
      unsafe sem_init(go, 0, 0)
      unsafe sem_init(done, 0, 0)
    }

    deinit {
      unsafe sem_destroy(go)
      unsafe sem_destroy(done)
      unsafe go.deallocate()
      unsafe done.deallocate()
    }

    func post(_ job: @escaping (Int) -> Void, count: Int, threadCount: Int) {
      self.job = job
      self.count = count
      next.store(0, ordering: .relaxed)
      for _ in 0..<threadCount { unsafe sem_post(go) }
    }

    /// True if work was posted that is not known to be done.
    var hasWork: Bool { job != nil }

    /// Waits for work; false if the team ends.
    func waitForWork() -> Bool {
      unsafe Self.wait(go)
      return !isOver.load(ordering: .acquiring)
    }

    /// Performs jobs until none are left.
    func work() {
      defer { unsafe sem_post(done) }
      guard let job else { return }
      while true {
        let number = next.add(1, ordering: .relaxed).oldValue
        guard number < count else { return }
        job(number)
      }
    }

    func waitUntilDone(threadCount: Int) {
      for _ in 0...threadCount { unsafe Self.wait(done) }
      job = nil
    }

    func dismiss(threadCount: Int) {
      isOver.store(true, ordering: .releasing)
      for _ in 0..<threadCount { unsafe sem_post(go) }
    }

    private static func wait(_ semaphore: UnsafeMutablePointer<sem_t>) {
      while unsafe sem_wait(semaphore) != 0 {}
    }
  }
}
