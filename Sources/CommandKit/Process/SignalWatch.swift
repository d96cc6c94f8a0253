// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import PlayerControl
internal import Realtime
internal import Synchronization
internal import WholeFiles

/// Receives INT, TERM, HUP and QUIT on a separate thread, so that no signal handler runs; for a
/// command that plays also PIPE, TSTP (Ctrl-Z) and CONT.
///
/// Until `holdForCleanUp` is called a signal ends or stops the process at once; from then on it is
/// only noted. The command then cleans up and calls `die(by:)`; if it does not within 2 s, or after
/// a second signal, `ForcedEnd` ends it. After TSTP it silences its notes and calls `pause`.
package final class SignalWatch: Sendable {
  private static let endings = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  private static let wishes = [SIGUSR1, SIGUSR2]

  /// True once a signal was noted that ends the process.
  private static let ending = Atomic<Bool>(false)
  private let noted = Atomic<Int32>(0)
  private let continuations = Atomic<Int>(0)
  /// The numbers of USR1 and USR2 received.
  private let pauses = Atomic<Int>(0)
  private let skips = Atomic<Int>(0)
  private let isHeld = Atomic<Bool>(false)
  /// The waits that a signal ends.
  private let waits = Mutex<[DeadlineWait]>([])
  /// The signals received: all but those that were ignored at the start (`nohup`).
  private let numbers: [Int32]

  /// Blocks the signals in this thread and those it will start, and begins to wait for them.
  ///
  /// Call it before any other thread is started.
  ///
  /// - Parameters:
  ///   - plays: whether PIPE, TSTP and CONT are watched for too.
  ///   - isLed: whether USR1 and USR2 are wishes, which otherwise end the process.
  package init(whilePlaying plays: Bool = false, isLed: Bool = false) {
    let watched =
      Self.endings + (plays ? [SIGPIPE, SIGTSTP, SIGCONT] : []) + (isLed ? Self.wishes : [])
    // Signals are the process's: a command with another console gets none.
    numbers = Console.current.isProcess ? watched.filter { !Self.isIgnored($0) } : []
    guard !numbers.isEmpty else { return }
    var set = Self.set(of: numbers)
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    var thread = pthread_t()
    let context = unsafe Unmanaged.passRetained(self).toOpaque()
    // The thread lives as long as the process and keeps the watch alive.
    unsafe pthread_create(&thread, nil, { unsafe SignalWatch.wait(context: $0) }, context)
    pthread_detach(thread)
  }

  /// From now on each signal that is noted ends a wait.
  ///
  /// - Parameter wait: the wait; it is never released.
  func wake(_ wait: DeadlineWait) {
    waits.withLock { $0.append(wait) }
  }

  /// The signal noted since the hold, or nil.
  package var signal: Int32? {
    let number = noted.load(ordering: .acquiring)
    return number == 0 ? nil : number
  }

  /// True once a signal was received that ends the process after the clean-up.
  static var isEnding: Bool { ending.load(ordering: .acquiring) }

  /// The number of times that the process was continued after a stop.
  package var continuationCount: Int { continuations.load(ordering: .acquiring) }

  /// The commands of USR1 (pause) and USR2 (next file) since the last call.
  func takeCommands() -> [PlayCommand] {
    let pauses = pauses.exchange(0, ordering: .acquiringAndReleasing)
    let skips = skips.exchange(0, ordering: .acquiringAndReleasing)
    return (pauses.isMultiple(of: 2) ? [] : [.togglePause])
      + Array(repeating: .skipFiles(1), count: skips)
  }

  /// From now on a signal is noted and no longer ends the process.
  package func holdForCleanUp() {
    isHeld.store(true, ordering: .releasing)
  }

  /// Ends the hold: a signal ends the process at once again, also one that was noted.
  package func release() {
    isHeld.store(false, ordering: .sequentiallyConsistent)
    endIfNoted()
  }

  /// Waits up to 1 s until pending signals have been noted.
  ///
  /// When a terminal ends a whole pipeline, the end of the pipe may be read before the signal.
  package func settle() {
    for _ in 0..<1000 where isUnsettled { usleep(1000) }
  }

  private var isUnsettled: Bool {
    guard signal == nil else { return false }
    var pending = sigset_t()
    guard !Self.isEnding, unsafe sigpending(&pending) == 0 else { return Self.isEnding }
    return numbers.contains { unsafe sigismember(&pending, $0) == 1 }
  }

  private func endIfNoted() {
    if let number = signal, number != SIGTSTP { Self.die(by: number) }
  }

  /// Stops the process as Ctrl-Z does, and returns when it is continued.
  package func pause() {
    Self.stop()
    _ = noted.compareExchange(expected: SIGTSTP, desired: 0, ordering: .acquiringAndReleasing)
  }

  private static func stop() {
    var set = set(of: [SIGTSTP])
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    // Only to this thread, which does not block it now; the whole process stops.
    raise(SIGTSTP)
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Raises a signal for the whole process; false if it is ignored.
  ///
  /// A signal that is received here is noted when this returns or soon after.
  static func passOn(_ number: Int32) -> Bool {
    guard !isIgnored(number) else { return false }
    kill(getpid(), number)
    return true
  }

  /// Ends the process by a signal, so that a shell shows 128 and its number.
  package static func die(by number: Int32) -> Never {
    ForcedEnd.watch(number)
    leave()
    JSONReport.end(bySignal: number)
    endNow(by: number)
  }

  /// Removes control sockets, and does what `ExitHooks` has.
  package static func leave() {
    ControlSocket.removeAll()
    ExitHooks.run()
  }

  /// Ends the process by a signal, and does nothing else.
  static func endNow(by number: Int32) -> Never {
    Glibc.signal(number, SIG_DFL)
    var set = set(of: [number])
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    // To this thread: the thread that waits for signals would take one that is for the process.
    raise(number)
    // Only reached if the signal is ignored by the program that started this one.
    _exit(128 + number)
  }

  private func take(_ number: Int32) {
    if number == SIGCONT {
      continuations.add(1, ordering: .acquiringAndReleasing)
    } else if number == SIGUSR1 {
      pauses.add(1, ordering: .acquiringAndReleasing)
    } else if number == SIGUSR2 {
      skips.add(1, ordering: .acquiringAndReleasing)
    } else if isHeld.load(ordering: .acquiring) {
      // A wish to stop does not take the place of one to end.
      if number == SIGTSTP, signal != nil { return }
      // Every write to a closed pipe raises PIPE again.
      if Self.isEnding, number != SIGPIPE, number != SIGTSTP { ForcedEnd.hurry() }
      noted.store(number, ordering: .sequentiallyConsistent)
      if number != SIGTSTP {
        Self.ending.store(true, ordering: .releasing)
        ForcedEnd.watch(number)
      }
      // The hold may have ended meanwhile.
      if !isHeld.load(ordering: .sequentiallyConsistent) { endIfNoted() }
    } else if number == SIGTSTP {
      Self.stop()
    } else {
      Self.ending.store(true, ordering: .releasing)
      ForcedEnd.reportHanging()
      WholeFile.removeUnfinished()
      Self.die(by: number)
    }
  }

  private static func set(of numbers: [Int32]) -> sigset_t {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for number in numbers { unsafe sigaddset(&set, number) }
    return set
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    let handler = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    let ignore = unsafe unsafeBitCast(SIG_IGN, to: Int.self)
    return handler == ignore
  }

  private static func wait(context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    let watch = unsafe Unmanaged<SignalWatch>.fromOpaque(context).takeUnretainedValue()
    var set = set(of: watch.numbers)
    while true {
      var number: Int32 = 0
      guard unsafe sigwait(&set, &number) == 0 else { continue }
      watch.take(number)
      for wait in watch.waits.withLock({ $0 }) { wait.wake() }
    }
  }
}
