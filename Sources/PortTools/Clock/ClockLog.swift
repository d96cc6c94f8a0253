// SPDX-License-Identifier: Apache-2.0
package import ClockService
internal import Realtime

/// Passes the events of a clock from the thread that records them to the one that reports them.
package final class ClockLog: Sendable {
  private let ring = RingBuffer<ClockEvent>(minimumCapacity: 256)

  /// Records an event, on one thread; if too many are waiting, it is dropped.
  package func note(_ event: ClockEvent) {
    _ = ring.writer.push(event)
  }

  /// Returns the events since the last call, on the other thread.
  package func take() -> [ClockEvent] {
    var events: [ClockEvent] = []
    while let event = ring.reader.pop() { events.append(event) }
    return events
  }
}
