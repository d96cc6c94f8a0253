// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import PlayerControl
internal import Realtime
internal import Synchronization
internal import WholeFiles

/// Receives INT, TERM, HUP and QUIT on a separate thread, without a signal handler.
///
/// For a command that plays, it also receives PIPE, TSTP (Ctrl-Z) and CONT. Until `holdForCleanUp`
/// is called, a signal ends or stops the process at once; after that, it is only recorded. The
/// command must then clean up and call `die(by:)`. If it does not do so within 2 s, or after a
/// second signal, `ForcedEnd` ends it. After TSTP it silences its notes and calls `pause`.
package final class SignalWatch: Sendable {
  private static let endings = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  private static let wishes = [SIGUSR1, SIGUSR2]

  /// True after a signal was recorded that ends the process.
  private static let ending = Atomic<Bool>(false)
  private let noted = Atomic<Int32>(0)
  private let continuations = Atomic<Int>(0)
  /// The numbers of USR1 and USR2 signals received.
  private let pauses = Atomic<Int>(0)
  private let skips = Atomic<Int>(0)
  private let isHeld = Atomic<Bool>(false)
  /// The waits that a signal ends.
  private let waits = Mutex<[DeadlineWait]>([])
  /// The signals that are received: all except those that were ignored at the start (`nohup`).
  private let numbers: [Int32]

  /// Blocks the signals in this thread and its later threads, and begins to receive them.
  ///
  /// Call it before any other thread is started.
  ///
  /// - Parameters:
  ///   - plays: True to receive PIPE, TSTP and CONT, too; false by default.
  ///   - isLed: True if USR1 and USR2 are commands; otherwise, and by default, they end the
  ///     process.
  package init(whilePlaying plays: Bool = false, isLed: Bool = false) {
    let watched =
      Self.endings + (plays ? [SIGPIPE, SIGTSTP, SIGCONT] : []) + (isLed ? Self.wishes : [])
    // Signals belong to the process, so a command with another console does not get any.
    numbers = Console.current.isProcess ? watched.filter { !Self.isIgnored($0) } : []
    guard !numbers.isEmpty else { return }
    var set = Self.set(of: numbers)
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    var thread = pthread_t()
    let context = unsafe Unmanaged.passRetained(self).toOpaque()
    // The thread runs until the process ends, and keeps this object alive.
    unsafe pthread_create(&thread, nil, { unsafe SignalWatch.wait(context: $0) }, context)
    pthread_detach(thread)
  }

  /// Adds a wait that each recorded signal ends.
  ///
  /// - Parameter wait: The wait; it is never released.
  func wake(_ wait: DeadlineWait) {
    waits.withLock { $0.append(wait) }
  }

  /// The signal recorded since the hold; nil for none.
  package var signal: Int32? {
    let number = noted.load(ordering: .acquiring)
    return number == 0 ? nil : number
  }

  /// True after a signal was received that ends the process after the clean-up.
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

  /// Starts the hold: signals are recorded and do not end the process.
  package func holdForCleanUp() {
    isHeld.store(true, ordering: .releasing)
  }

  /// Ends the hold: signals end the process at once, including a recorded one.
  package func release() {
    isHeld.store(false, ordering: .sequentiallyConsistent)
    endIfNoted()
  }

  /// Waits up to 1 s until pending signals have been recorded.
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
    // Only this thread receives it, because the signal is unblocked here; the whole process stops.
    raise(SIGTSTP)
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Sends a signal to the whole process; false if it is ignored.
  ///
  /// If this object receives the signal, it is recorded before or soon after the return.
  static func passOn(_ number: Int32) -> Bool {
    guard !isIgnored(number) else { return false }
    kill(getpid(), number)
    return true
  }

  /// Ends the process by a signal, so that a shell reports 128 plus its number.
  package static func die(by number: Int32) -> Never {
    ForcedEnd.watch(number)
    leave()
    JSONReport.end(bySignal: number)
    endNow(by: number)
  }

  /// Removes control sockets, and runs the actions of `ExitHooks`.
  package static func leave() {
    ControlSocket.removeAll()
    ExitHooks.run()
  }

  /// Ends the process by a signal, without any other action.
  static func endNow(by number: Int32) -> Never {
    Glibc.signal(number, SIG_DFL)
    var set = set(of: [number])
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    // Sent to this thread, because the thread that waits for signals would receive one sent to the
    // process.
    raise(number)
    // Reached only if the parent process ignores the signal.
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
      // A stop does not replace a recorded signal that ends the process.
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
