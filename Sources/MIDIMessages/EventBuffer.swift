// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A reusable list of timed events and the payload bytes they refer to.
///
/// It grows to the largest window it has held and then allocates no more.
public struct EventBuffer: Sendable {
  /// The events, in the order in which they are to be sent.
  public private(set) var events: ContiguousArray<TimedEvent>
  /// The bytes that `sysEx` payloads point into.
  public private(set) var payloads: ContiguousArray<UInt8>

  /// Creates an empty buffer with room for a number of events and payload bytes.
  public init(capacity: Int = 1024, payloadCapacity: Int = 16384) {
    events = []
    payloads = []
    events.reserveCapacity(capacity)
    payloads.reserveCapacity(payloadCapacity)
  }

  /// Whether nothing is held.
  public var isEmpty: Bool { events.isEmpty }

  /// Adds an event that refers to no payload, or to one already held.
  public mutating func append(_ event: TimedEvent) {
    events.append(event)
  }

  /// Adds a SysEx message, copying its bytes (without F0 and F7).
  public mutating func append(
    sysEx bytes: Span<UInt8>, time: HostTime, track: UInt16, generation: UInt32
  ) {
    let place = PayloadRange(offset: UInt32(payloads.count), count: UInt32(bytes.count))
    for index in bytes.indices { payloads.append(bytes[index]) }
    events.append(
      TimedEvent(time: time, payload: .sysEx(place), track: track, generation: generation))
  }

  /// Orders the events by time, keeping the order of those at one time.
  ///
  /// - Complexity: O(n log n); O(n) where they are in order already.
  public mutating func sortByTime() {
    var ordered = true
    for index in events.indices.dropFirst() where events[index].time < events[index - 1].time {
      ordered = false
      break
    }
    if !ordered { events.sort { $0.time < $1.time } }
  }

  /// Forgets everything and keeps the room.
  public mutating func removeAll() {
    events.removeAll(keepingCapacity: true)
    payloads.removeAll(keepingCapacity: true)
  }
}
