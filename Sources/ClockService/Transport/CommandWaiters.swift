// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Tasks that wait until a command has taken effect.
///
/// The event thread counts steps and wakes the thread of listeners if a task waits. The other state
/// is protected by a lock that the event thread never takes.
final class CommandWaiters: Sendable {
  private struct Waiter {
    let number: Int
    let progress: CommandProgress
    let continuation: CheckedContinuation<Void, any Error>
  }

  private let waiters = Mutex<[Waiter]>([])
  private let counter = Atomic(0)
  private let steps = Atomic(0)
  private let isAwaited = Atomic(false)
  private let isOver = Atomic(false)

  /// The number of the step that is published next.
  var nextStep: Int { steps.load(ordering: .relaxed) + 1 }

  /// Counts a published step, on the event thread; returns true if a task waits.
  func countStep() -> Bool {
    steps.add(1, ordering: .sequentiallyConsistent)
    return isAwaited.load(ordering: .sequentiallyConsistent)
  }

  /// Notes that commands will not be performed any more.
  func end() { isOver.store(true, ordering: .sequentiallyConsistent) }

  func hasPublished(_ progress: CommandProgress) -> Bool {
    progress.isPublished(after: steps.load(ordering: .sequentiallyConsistent))
  }

  func wait(for progress: CommandProgress) async throws {
    let number = counter.add(1, ordering: .relaxed).newValue
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        waiters.withLock {
          $0.append(Waiter(number: number, progress: progress, continuation: continuation))
        }
        isAwaited.store(true, ordering: .sequentiallyConsistent)
        // The command may have been performed, or the task cancelled, before this waiter was added.
        if Task.isCancelled { cancel(number) }
        settle()
      }
    } onCancel: {
      cancel(number)
    }
  }

  private func cancel(_ number: Int) {
    let waiter = waiters.withLock { waiters in
      waiters.firstIndex { $0.number == number }.map { waiters.remove(at: $0) }
    }
    waiter?.continuation.resume(throwing: CancellationError())
  }

  /// Resumes the tasks whose command has taken effect, or all if the clock has ended.
  func settle() {
    let isOver = isOver.load(ordering: .sequentiallyConsistent)
    let ready = waiters.withLock { waiters in
      let ready = waiters.filter { isOver || hasPublished($0.progress) }
      waiters.removeAll { isOver || hasPublished($0.progress) }
      isAwaited.store(!waiters.isEmpty, ordering: .sequentiallyConsistent)
      return ready
    }
    for waiter in ready {
      if hasPublished(waiter.progress) {
        waiter.continuation.resume()
      } else {
        waiter.continuation.resume(throwing: ClockError.ended)
      }
    }
  }
}
