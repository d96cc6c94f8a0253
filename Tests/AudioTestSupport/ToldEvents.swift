// SPDX-License-Identifier: Apache-2.0
package import AudioProcessing
import Synchronization

/// The events that a queue reports, from its beginning.
package final class ToldEvents: Sendable {
  private let events = Mutex<[SoundQueue.Event]>([])

  package init() {}

  package convenience init(_ queue: SoundQueue) {
    self.init()
    queue.observe { [weak self] event in self?.add(event) }
  }

  package var all: [SoundQueue.Event] { events.withLock { $0 } }

  /// Adds an event.
  package func add(_ event: SoundQueue.Event) { events.withLock { $0.append(event) } }

  /// The events since the last call.
  package func take() -> [SoundQueue.Event] {
    events.withLock { events in
      defer { events = [] }
      return events
    }
  }
}
