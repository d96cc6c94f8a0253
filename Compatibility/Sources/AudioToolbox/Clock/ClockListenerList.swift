// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import Synchronization

/// The listeners of a clock; a listener is identified by its function and pointer together.
final class ClockListenerList: Sendable {
  @safe
  struct Listener: @unchecked Sendable, Equatable {
    // Unchecked: the caller that passed the pointer is responsible for the threads that use it.
    let function: CAClockListenerProc
    let data: UnsafeMutableRawPointer?

    static func == (left: Self, right: Self) -> Bool {
      let sameData = unsafe left.data == right.data
      return unsafe sameData
        && unsafeBitCast(left.function, to: Int.self) == unsafeBitCast(right.function, to: Int.self)
    }
  }

  // Each change makes a new array, so a call of the listeners can go through the old one without
  // the lock.
  private let all = Mutex<[Listener]>([])

  func add(_ listener: Listener) {
    all.withLock { $0 = $0 + [listener] }
  }

  /// Removes a listener; returns false if it was not in the list.
  func remove(_ listener: Listener) -> Bool {
    all.withLock { all in
      guard let place = all.firstIndex(of: listener) else { return false }
      all = Array(all[..<place] + all[(place + 1)...])
      return true
    }
  }

  func removeAll() {
    all.withLock { $0 = [] }
  }

  func tell(_ message: CAClockMessage) {
    for listener in all.withLock({ $0 }) {
      unsafe listener.function(listener.data, message, nil)
    }
  }
}
