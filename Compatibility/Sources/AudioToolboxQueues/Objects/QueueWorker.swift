// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Realtime
internal import Synchronization

/// The thread of a queue: it brings back buffers, calls the program and closes the output.
///
/// The thread starts when it is first woken, and waits while there is nothing to do.
final class QueueWorker: Sendable {
  /// When the next turn is.
  enum Pace {
    /// In 2 ms.
    case soon
    /// When the thread is woken.
    case idle
    /// Never.
    case ended
  }

  private struct State: Sendable {
    var thread: RealtimeThread?
    var isEnding = false
    /// An object that lives until the thread has ended.
    var kept: (any AnyObject & Sendable)?
  }

  private let state = Mutex(State())
  private let signal = DispatchSemaphore(value: 0)

  /// True if the caller runs on the thread.
  var isCurrent: Bool { state.withLock(\.thread)?.isCurrent ?? false }

  /// Wakes the thread, or starts it.
  ///
  /// - Parameter turn: one turn; used by a thread that starts.
  /// - Returns: false if the system does not have another thread.
  @discardableResult
  func wake(_ turn: @escaping @Sendable () -> Pace) -> Bool {
    let isThere = state.withLock { state in
      if state.thread == nil, !state.isEnding {
        do {
          state.thread = try RealtimeThread(name: "audio queue", priority: nil) { [self] in
            run(turn)
          }
        } catch {
          return false
        }
      }
      return true
    }
    signal.signal()
    return isThere
  }

  /// Keeps an object until the thread has ended.
  func keep(_ object: any AnyObject & Sendable) {
    state.withLock { $0.kept = object }
  }

  /// Ends the thread after the turn that it is in.
  func end() {
    state.withLock { $0.isEnding = true }
    signal.signal()
  }

  private func run(_ turn: () -> Pace) {
    while !state.withLock(\.isEnding) {
      switch turn() {
      case .soon: _ = signal.wait(timeout: .now() + .milliseconds(2))
      case .idle: signal.wait()
      case .ended: end()
      }
    }
    let kept = state.withLock { state in
      defer { state.kept = nil }
      return state.kept
    }
    withExtendedLifetime(kept) {}
  }
}
