// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import LV2Units
internal import Synchronization
internal import WholeFiles

/// The end of a process whose work cannot be completed, because a plug-in or a library hangs or has
/// ended the program.
///
/// It names the plug-ins that hang, removes the files that are not complete, leaves sessions and servers,
/// and ends the process. Notes that sound on ports are released by their guardian.
package enum ForcedEnd {
  /// The period of the checks for progress: 50 ms.
  private static let period: UInt32 = 50_000
  /// The checks until a process without progress is ended after a signal: 2 s.
  private static let patience = 40
  /// The same after a second signal: 0.5 s after the first, because a terminal that is closed sends
  /// several at once.
  private static let leastPatience = 10
  /// How long leaving may take: 1 s.
  private static let longestLeave: UInt32 = 1_000_000

  private static let isWatched = Atomic(false)
  private static let isHurried = Atomic(false)
  private static let isAllowed = Atomic(false)
  private static let hasBegun = Atomic(false)
  /// Whether `end(by:)` has begun.
  private static let isEnding = Atomic(false)
  /// The process whose files and sockets these are; 0 before `guardExit`.
  private static let owner = Atomic<Int32>(0)
  private static let isTeardownWatched = Atomic(false)
  private static let openJobs = Atomic(0)
  private static let isJobUndone = Atomic(false)

  /// Starts to watch a process that a signal is to end: it has 2 s, and more while it writes a file.
  ///
  /// A second call does nothing.
  package static func watch(_ number: Int32) {
    guard !isWatched.exchange(true, ordering: .relaxed) else { return }
    limitEnd(by: number)
    onThread {
      var steps = 0
      var bytes = WholeFile.unfinishedByteCount
      while steps < (isHurried.load(ordering: .relaxed) ? leastPatience : patience) {
        // Counted, not timed: a process that was stopped meanwhile has its time afterwards.
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

  /// Ends the watched process at once, but not within 0.5 s of the first signal.
  static func hurry() { isHurried.store(true, ordering: .relaxed) }

  /// Ends the process by a signal, now.
  private static func end(by number: Int32) -> Never {
    isEnding.store(true, ordering: .relaxed)
    reportHanging()
    WholeFile.removeUnfinished()
    SignalWatch.die(by: number)
  }

  /// Has a thread end the process 1 s after `end(by:)` has begun.
  ///
  /// It runs from the first signal on and allocates nothing later: a plug-in may hang while it holds
  /// the lock of the allocator.
  private static func limitEnd(by number: Int32) {
    onThread {
      while !isEnding.load(ordering: .relaxed) { usleep(period) }
      usleep(longestLeave)
      SignalWatch.endNow(by: number)
    }
  }

  /// Work whose plug-ins are freed when its files are complete.
  ///
  /// A plug-in that then hangs for 2 s while no other job is open is named, and the process ends: with
  /// status 3 if the files of all jobs are complete, else with status 74.
  package final class Job {
    private var isOpen = true
    private var isDone = false

    /// Opens a job.
    package init() { openJobs.add(1, ordering: .acquiringAndReleasing) }

    deinit { if isOpen { closeJob() } }

    /// Notes that the files are complete; returns what it is given.
    package func done<Result>(_ result: Result) -> Result {
      isDone = true
      return result
    }

    /// Closes the job: from here on its plug-ins have 2 s.
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
        // Then `watch` ends the process.
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

  /// Has a function end the process after 1 s.
  private static func limitLeave(_ end: @escaping @Sendable () -> Never) {
    onThread {
      usleep(longestLeave)
      end()
    }
  }

  /// Starts to refuse `exit` by others: call it before any other library is used.
  package static func guardExit() {
    LV2LastWords.beforeExit { ForcedEnd.leave() }
    owner.store(getpid(), ordering: .releasing)
    atexit {
      // A child that a plug-in has forked, and that cannot start its program, ends like this: the
      // files and sockets are not its own.
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

  /// From here on the process may end by `exit`.
  static func allowExit() {
    isAllowed.store(true, ordering: .releasing)
    LV2LastWords.allowExit()
  }

  /// Removes incomplete files, and leaves sessions and servers, for at most 1 s.
  private static func leave() {
    guard !hasBegun.exchange(true, ordering: .acquiringAndReleasing) else { return }
    limitLeave { _exit(LV2LastWords.exitStatus) }
    WholeFile.removeUnfinished()
    SignalWatch.leave()
    JSONReport.endAtOnce(.ioError, because: "a plug-in or a library ended the program")
  }

  /// Writes a line to standard error, past all locks.
  private static func say(_ sentence: String) {
    let bytes = Array("downbeat: \(sentence)\n".utf8)
    _ = unsafe write(StandardError.descriptor, bytes, bytes.count)
  }

  private final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Calls a closure on a thread of its own, which lives as long as the process.
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
