// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import ClipPlayback
import Synchronization

/// What a queue tells of, from its beginning.
final class ToldEvents: Sendable {
  private let events = Mutex<[SoundQueue.Event]>([])

  init(_ queue: SoundQueue) {
    queue.observe { [weak self] event in self?.events.withLock { $0.append(event) } }
  }

  init(_ queue: PacketQueue) {
    queue.observe { [weak self] event in
      guard case .queue(let event) = event else { return }
      self?.events.withLock { $0.append(event) }
    }
  }

  var all: [SoundQueue.Event] { events.withLock { $0 } }

  /// What was told since this was asked last.
  func take() -> [SoundQueue.Event] {
    events.withLock { events in
      defer { events = [] }
      return events
    }
  }
}
