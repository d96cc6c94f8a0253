// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import Synchronization

/// Whom a clock tells of what happens; function and pointer together tell one from another.
final class ClockListenerList: Sendable {
  @safe
  struct Listener: @unchecked Sendable, Equatable {
    // Unchecked: whoever gave the pointer answers for the thread on which it is used.
    let function: CAClockListenerProc
    let data: UnsafeMutableRawPointer?

    static func == (left: Self, right: Self) -> Bool {
      let sameData = unsafe left.data == right.data
      return unsafe sameData
        && unsafeBitCast(left.function, to: Int.self) == unsafeBitCast(right.function, to: Int.self)
    }
  }

  // Each change makes a new list, so `tell` can go through the old one without the lock.
  private let all = Mutex<[Listener]>([])

  func add(_ listener: Listener) {
    all.withLock { $0 = $0 + [listener] }
  }

  /// Takes a listener out; returns whether it was there.
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
