// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The tasks that wait for new events.
///
/// - Note: Any thread.
final class ArrivalWaiters: Sendable {
  private let state = Mutex(State())

  private struct State {
    var arrivals = 0
    var next = 0
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
  }

  /// The number of arrivals; read it before draining, so that no arrival is missed before
  /// `wait(since:)`.
  var arrivals: Int { state.withLock(\.arrivals) }

  /// Notes an arrival.
  func note() {
    let waiting = state.withLock { state in
      state.arrivals += 1
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until the number of arrivals differs from a value, or the task is cancelled.
  func wait(since arrivals: Int) async {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waits = state.withLock { state in
          let waits = state.arrivals == arrivals && !Task.isCancelled
          if waits { state.waiting[number] = continuation }
          return waits
        }
        if !waits { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
    }
  }
}
