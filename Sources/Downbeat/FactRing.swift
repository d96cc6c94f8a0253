// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime
internal import Realtime

/// Passes facts, and cancellations of facts, from the event thread to the notifier.
final class FactRing: EventSink, Sendable {
  /// A fact, or a request to discard the facts that are due at or after a time.
  enum Entry: BitwiseCopyable, Sendable {
    case fact(TimedEvent)
    case cancel(ReferenceTime)
  }

  private let ring = RingBuffer<Entry>(minimumCapacity: 8192)
  /// Written and read on the event thread only.
  nonisolated(unsafe) private var undelivered: ReferenceTime?

  /// Stores as many events as fit, and returns their number.
  func send(_ events: Span<TimedEvent>, payloads: Span<UInt8>) -> Int {
    guard deliverCancellation() else { return 0 }
    for index in events.indices {
      guard ring.writer.push(.fact(events[index])) else { return index }
    }
    return events.count
  }

  func cancel(from time: ReferenceTime) {
    unsafe undelivered = undelivered.map { min($0, time) } ?? time
    _ = deliverCancellation()
  }

  var ordersByTime: Bool { true }

  /// Passes every entry stored since the last call to a function, on the notifier's thread.
  func takeEach(_ body: (Entry) -> Void) {
    while let entry = ring.reader.pop() { body(entry) }
  }

  private func deliverCancellation() -> Bool {
    guard let time = unsafe undelivered else { return true }
    guard ring.writer.push(.cancel(time)) else { return false }
    unsafe undelivered = nil
    return true
  }
}
