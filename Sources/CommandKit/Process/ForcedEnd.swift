// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import LV2Units
internal import Synchronization
internal import WholeFiles

/// The end of a process whose work cannot be completed, because a plug-in or a library hangs or has
/// ended the program.
///
/// It reports the plug-ins that hang, removes incomplete files, leaves sessions and servers, and
/// ends the process. The guardians of the ports release sounding notes.
package enum ForcedEnd {
  /// The interval between checks for progress, in microseconds: 50 ms.
  private static let period: UInt32 = 50_000
  /// The number of checks without progress after which a signal ends the process: 2 s.
  private static let patience = 40
  /// The number of checks after a second signal: 0.5 s after the first, because a closing terminal
  /// sends several signals at once.
  private static let leastPatience = 10
  /// The longest time for leaving, in microseconds: 1 s.
  private static let longestLeave: UInt32 = 1_000_000

  private static let isWatched = Atomic(false)
  private static let isHurried = Atomic(false)
  private static let isAllowed = Atomic(false)
  private static let hasBegun = Atomic(false)
  /// True after `end(by:)` has begun.
  private static let isEnding = Atomic(false)
  /// The process that owns the files and sockets; 0 before `guardExit`.
  private static let owner = Atomic<Int32>(0)
  private static let isTeardownWatched = Atomic(false)
  private static let openJobs = Atomic(0)
  private static let isJobUndone = Atomic(false)

  /// Starts to watch a process that a signal must end within 2 s, or longer while it writes a file.
  ///
  /// A second call does nothing.
  package static func watch(_ number: Int32) {
    guard !isWatched.exchange(true, ordering: .relaxed) else { return }
    limitEnd(by: number)
    onThread {
      var steps = 0
      var bytes = WholeFile.unfinishedByteCount
      while steps < (isHurried.load(ordering: .relaxed) ? leastPatience : patience) {
        // Counted instead of timed, so that a process that was stopped still gets its time.
        usleep(period)
        steps += 1
        let now = WholeFile.unfinishedByteCount
        if now != bytes, steps > leastPatience, !isHurried.load(ordering: .relaxed) {
          steps = leastPatience
        }
        bytes = now
      }
      end(by: number)
    }
  }

  /// Ends the watched process soon, at the earliest 0.5 s after the first signal.
  static func hurry() { isHurried.store(true, ordering: .relaxed) }

  /// Ends the process by a signal, immediately.
  private static func end(by number: Int32) -> Never {
    isEnding.store(true, ordering: .relaxed)
    reportHanging()
    WholeFile.removeUnfinished()
    SignalWatch.die(by: number)
  }

  /// Starts a thread that ends the process 1 s after `end(by:)` has begun.
  ///
  /// It starts at the first signal and allocates nothing later, because a plug-in may hang while it
  /// holds the lock of the allocator.
  private static func limitEnd(by number: Int32) {
    onThread {
      while !isEnding.load(ordering: .relaxed) { usleep(period) }
      usleep(longestLeave)
      SignalWatch.endNow(by: number)
    }
  }

  /// A task whose plug-ins are freed after its files are complete.
  ///
  /// If a plug-in then hangs for 2 s while no other job is open, it is reported and the process
  /// ends: with status 3 if the files of all jobs are complete, otherwise with status 74.
  package final class Job {
    private var isOpen = true
    private var isDone = false

    /// Opens a job.
    package init() { openJobs.add(1, ordering: .acquiringAndReleasing) }

    deinit { if isOpen { closeJob() } }

    /// Records that the files are complete; returns its argument.
    package func done<Result>(_ result: Result) -> Result {
      isDone = true
      return result
    }

    /// Closes the job; its plug-ins must be freed within 2 s.
    package func end() {
      guard isOpen else { return }
      isOpen = false
      if !isDone { isJobUndone.store(true, ordering: .releasing) }
      closeJob()
      watchTeardowns()
    }
  }

  private static func closeJob() { openJobs.subtract(1, ordering: .acquiringAndReleasing) }

  private static func watchTeardowns() {
    // A command with another console does not end the process.
    guard Console.current.isProcess else { return }
    guard !isTeardownWatched.exchange(true, ordering: .relaxed) else { return }
    onThread {
      var (steps, open) = (0, LV2LastWords.openTeardowns())
      while steps < patience {
        usleep(period)
        // In this case `watch` ends the process.
        if isWatched.load(ordering: .relaxed) { return }
        let now = LV2LastWords.openTeardowns()
        open.formIntersection(now)
        let isIdle = openJobs.load(ordering: .acquiring) == 0 && !open.isEmpty
        steps = isIdle ? steps + 1 : 0
        if open.isEmpty { open = now }
      }
      let status = isJobUndone.load(ordering: .acquiring) ? ExitStatus.ioError : .partial
      limitLeave { _exit(status.rawValue) }
      reportHanging()
      status.end()
    }
  }

  /// Reports the plug-ins that hang.
  static func reportHanging() {
    for sentence in LV2LastWords.hanging() { say(sentence) }
  }

  /// Starts a thread that calls a function after 1 s, to end the process.
  private static func limitLeave(_ end: @escaping @Sendable () -> Never) {
    onThread {
      usleep(longestLeave)
      end()
    }
  }

  /// Starts to intercept calls of `exit` by libraries; call it before using any library.
  package static func guardExit() {
    LV2LastWords.beforeExit { ForcedEnd.leave() }
    owner.store(getpid(), ordering: .releasing)
    atexit {
      // A forked child of a plug-in that cannot start its program ends here; it does not own the
      // files and sockets.
      guard ForcedEnd.owner.load(ordering: .acquiring) == getpid(),
        !ForcedEnd.isAllowed.load(ordering: .acquiring)
      else { return }
      if !ForcedEnd.hasBegun.load(ordering: .acquiring) {
        ForcedEnd.reportHanging()
        ForcedEnd.say("a library ended the program before its work was done")
      }
      ForcedEnd.leave()
      _exit(LV2LastWords.exitStatus)
    }
  }

  /// Allows the process to end by `exit`.
  static func allowExit() {
    isAllowed.store(true, ordering: .releasing)
    LV2LastWords.allowExit()
  }

  /// Removes incomplete files, and leaves sessions and servers, within 1 s.
  private static func leave() {
    guard !hasBegun.exchange(true, ordering: .acquiringAndReleasing) else { return }
    limitLeave { _exit(LV2LastWords.exitStatus) }
    WholeFile.removeUnfinished()
    SignalWatch.leave()
    JSONReport.endAtOnce(.ioError, because: "a plug-in or a library ended the program")
  }

  /// Writes a line to standard error without taking locks.
  private static func say(_ sentence: String) {
    let bytes = Array("downbeat: \(sentence)\n".utf8)
    _ = unsafe write(StandardError.descriptor, bytes, bytes.count)
  }

  private final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Calls a closure on a new thread, which may run until the process ends.
  private static func onThread(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let context = unsafe Unmanaged.passRetained(Work(body)).toOpaque()
    let code = unsafe pthread_create(
      &thread, nil,
      { context in
        guard let context = unsafe context else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
        return nil
      }, context)
    if code == 0 { pthread_detach(thread) }
  }
}
