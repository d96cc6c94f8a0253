// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import PlayerControl
internal import Synchronization
internal import WholeFiles

/// Catches INT, TERM, HUP and QUIT on a thread of their own, so that no handler runs in ours; for
/// a command that plays PIPE, TSTP (Ctrl-Z) and CONT too.
///
/// Until `holdForCleanUp` is called a signal ends or stops the process at once, as if it were not
/// caught; from then on it is only noted. The command cleans up and calls `die(by:)`, or, if it does not
/// within 2 s or after a second signal, is ended (`ForcedEnd`); if the signal is TSTP it falls silent
/// and calls `pause`.
package final class SignalWatch: Sendable {
  private static let endings = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  private static let wishes = [SIGUSR1, SIGUSR2]

  /// Whether a signal came that ends the process and was noted.
  private static let ending = Atomic<Bool>(false)
  private let noted = Atomic<Int32>(0)
  private let continuations = Atomic<Int>(0)
  /// How often USR1 and USR2 came.
  private let pauses = Atomic<Int>(0)
  private let skips = Atomic<Int>(0)
  private let isHeld = Atomic<Bool>(false)
  /// The signals waited for: those that whoever started us does not want ignored (`nohup`).
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

  /// The signal that came since the hold, or nil.
  package var signal: Int32? {
    let number = noted.load(ordering: .acquiring)
    return number == 0 ? nil : number
  }

  /// Whether a signal came that ends the process, once what is to be cleaned up is.
  static var isEnding: Bool { ending.load(ordering: .acquiring) }

  /// How often the process was continued after it had been stopped, by whatever signal.
  package var continuationCount: Int { continuations.load(ordering: .acquiring) }

  /// What USR1 and USR2 asked for since the last call: pauses and files.
  func takeWishes() -> [PlayCommand] {
    let pauses = pauses.exchange(0, ordering: .acquiringAndReleasing)
    let skips = skips.exchange(0, ordering: .acquiringAndReleasing)
    return (pauses.isMultiple(of: 2) ? [] : [.pause]) + Array(repeating: .file(1), count: skips)
  }

  /// From now on a signal is noted and no longer ends the process.
  package func holdForCleanUp() {
    isHeld.store(true, ordering: .releasing)
  }

  /// What was to be cleaned up is: from now on a signal ends the process at once again, as does
  /// one that was noted.
  package func release() {
    isHeld.store(false, ordering: .sequentiallyConsistent)
    endIfNoted()
  }

  /// Gives way to a signal that came and has not had its effect yet.
  ///
  /// Where a terminal ends a whole pipeline, the pipe's end may be read before our signal is.
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
    // To this thread alone, where it is not blocked now; the whole process stops.
    raise(SIGTSTP)
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Raises a signal for the whole process; false where it is ignored.
  ///
  /// Where it is watched for it has been noted when this returns or soon after.
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
      // PIPE comes again with every write to a pipe that is closed.
      if Self.isEnding, number != SIGPIPE, number != SIGTSTP { ForcedEnd.hurry() }
      noted.store(number, ordering: .sequentiallyConsistent)
      if number != SIGTSTP {
        Self.ending.store(true, ordering: .releasing)
        ForcedEnd.watch(number)
      }
      // Released meanwhile, nobody looks any more.
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
    }
  }
}
