// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime
internal import Realtime

/// Takes facts from the event thread to the notifier, with those that were cancelled.
final class FactRing: EventSink, Sendable {
  /// A fact, or an order to forget those due from an instant on.
  enum Entry: BitwiseCopyable, Sendable {
    case fact(TimedEvent)
    case cancel(ReferenceTime)
  }

  private let ring = RingBuffer<Entry>(minimumCapacity: 8192)
  /// Written and read on the event thread only.
  nonisolated(unsafe) private var undelivered: ReferenceTime?

  /// Takes as many as there is room for.
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

  /// Gives everything that came since the last call, on the notifier's thread.
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
