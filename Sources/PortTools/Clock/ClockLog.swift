// SPDX-License-Identifier: Apache-2.0
package import ClockService
internal import Realtime

/// What happens to a clock, taken from the thread that notes it to the one that tells others.
package final class ClockLog: Sendable {
  private let ring = RingBuffer<ClockEvent>(minimumCapacity: 256)

  /// Takes note of an event, on one thread; of more than fit, the first are told.
  package func note(_ event: ClockEvent) {
    _ = ring.writer.push(event)
  }

  /// Everything that came since the last call, on the other thread.
  package func take() -> [ClockEvent] {
    var events: [ClockEvent] = []
    while let event = ring.reader.pop() { events.append(event) }
    return events
  }
}
