// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// Threads that share out numbered jobs, for work that is not done in real time.
///
/// - Note: Not real-time safe. One thread at a time hands out work.
public final class WorkerTeam: Sendable {
  /// How many threads do the work, the one that hands it out included.
  public let threadCount: Int
  private let board = Board()
  private let threads: [RealtimeThread]

  /// The processors this process may use.
  public static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Starts the threads.
  ///
  /// - Parameter threadCount: how many do the work, from 1; with 1 there is none but the caller's.
  /// - Throws: `RealtimeError.cannotStartThread` where the system has none left.
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

  /// Does the jobs 0..<`count`, each once, in any order; returns when all are done.
  ///
  /// - Parameters:
  ///   - count: the number of jobs.
  ///   - job: does one; it is called from several threads at once.
  public func run(_ count: Int, _ job: (Int) -> Void) {
    withoutActuallyEscaping(job) { job in
      board.post(job, count: count, threadCount: threads.count)
      finish()
    }
  }

  /// Begins the jobs 0..<`count` on the other threads, as `run` does them, and returns at once.
  ///
  /// - Precondition: the work begun before is finished.
  public func start(_ count: Int, _ job: @escaping @Sendable (Int) -> Void) {
    board.post(job, count: count, threadCount: threads.count)
  }

  /// Does the jobs that no thread has begun, and returns when all that `start` was given are done;
  /// at once where it was given none.
  public func finish() {
    guard board.hasWork else { return }
    board.work()
    board.waitUntilDone(threadCount: threads.count)
  }

  deinit {
    board.dismiss(threadCount: threads.count)
    for thread in threads { thread.join() }
  }

  /// Where the work is told to the threads.
  @safe
  private final class Board: @unchecked Sendable {
    // Unchecked: `job` and `count` are written while no thread works, before a semaphore.
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

    /// Whether work was posted that is not known to be done.
    var hasWork: Bool { job != nil }

    /// Waits for work; false where there will be no more.
    func waitForWork() -> Bool {
      unsafe Self.wait(go)
      return !isOver.load(ordering: .acquiring)
    }

    /// Takes jobs until there is none left.
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
