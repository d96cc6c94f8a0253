// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A timeline of a queue: it remembers how often the sound was interrupted when it was last asked.
final class TimelineObject: Sendable {
  /// The queue; nil once it was disposed of.
  weak let queue: QueueObject?
  private let known: Mutex<Int>

  init(_ queue: QueueObject) {
    self.queue = queue
    known = Mutex(queue.breakCount)
  }

  /// True if the sound was interrupted since the last call.
  func takeBreaks() -> Bool {
    let count = queue?.breakCount ?? 0
    return known.withLock { known in
      defer { known = count }
      return known != count
    }
  }
}
