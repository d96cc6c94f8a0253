// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime

/// A sink for tracks without a destination, which discards events.
final class SilentSink: EventSink {
  func send(_ events: Span<StampedEvent<HostTime>>, payloads: Span<UInt8>) -> Int { events.count }

  func cancel(from time: HostTime) {}
}
