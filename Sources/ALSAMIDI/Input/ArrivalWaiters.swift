// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The tasks that wait for something to come.
///
/// - Note: any thread.
final class ArrivalWaiters: Sendable {
  private let state = Mutex(State())

  private struct State {
    var arrivals = 0
    var next = 0
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
  }

  /// How often something has come: looked at before the look for it, so that nothing comes unseen
  /// between that and the wait.
  var arrivals: Int { state.withLock(\.arrivals) }

  /// Notes that something has come.
  func note() {
    let waiting = state.withLock { state in
      state.arrivals += 1
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until something has come since a count, or the task is cancelled.
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
