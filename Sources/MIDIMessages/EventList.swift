// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A reusable list of timed events and their payload bytes.
///
/// The list keeps its memory when it is emptied, so it only allocates memory while its content
/// grows beyond the largest so far.
public struct EventList<Time: Instant>: Sendable {
  /// The events, in the order in which they are sent.
  public var events: ContiguousArray<StampedEvent<Time>>
  /// The bytes of SysEx payloads, to which events refer.
  public var payloads: ContiguousArray<UInt8>

  /// Creates an empty list with room for a number of events and payload bytes.
  @inlinable
  public init(capacity: Int = 1024, payloadCapacity: Int = 16384) {
    events = []
    payloads = []
    events.reserveCapacity(capacity)
    payloads.reserveCapacity(payloadCapacity)
  }

  /// True if the list does not contain events.
  @inlinable
  public var isEmpty: Bool { events.isEmpty }

  /// Adds an event without a payload, or with a payload that is already in the list.
  @inlinable
  public mutating func append(_ event: StampedEvent<Time>) {
    events.append(event)
  }

  /// Adds a SysEx message with a copy of its bytes (without F0 and F7).
  @inlinable
  public mutating func append(
    sysEx bytes: Span<UInt8>, time: Time, track: UInt16, index: UInt32 = 0,
    generation: UInt32 = 0, port: UInt8 = 0
  ) {
    append(
      StampedEvent<Time>(
        time: time, payload: .sysEx(PayloadRange(offset: 0, count: 0)), track: track,
        index: index, generation: generation, port: port),
      sysEx: bytes)
  }

  /// Adds a SysEx event or a part of one, with a copy of its bytes (without F0 and F7).
  @inlinable
  public mutating func append(_ event: StampedEvent<Time>, sysEx bytes: Span<UInt8>) {
    var event = event
    event.payload = event.payload.moved(
      to: PayloadRange(offset: UInt32(payloads.count), count: UInt32(bytes.count)))
    for index in bytes.indices { payloads.append(bytes[index]) }
    events.append(event)
  }

  /// Adds an event of another list, with a copy of its payload from that list's `payloads`.
  @inlinable
  public mutating func append(_ event: StampedEvent<Time>, payloads source: Span<UInt8>) {
    guard let place = event.payload.bytes else { return append(event) }
    let end = Int(place.offset) + Int(place.count)
    append(event, sysEx: source.extracting(Int(place.offset)..<end))
  }

  /// Sorts the events by time.
  ///
  /// Events at the same time keep their order.
  ///
  /// - Complexity: O(n log n); O(n) if they are already in order.
  @inlinable
  public mutating func sortByTime() {
    for index in events.indices.dropFirst() where events[index].time < events[index - 1].time {
      // A few events are moved within the list, without allocation; many are sorted.
      if events.count > 256 { return events.sort { $0.time < $1.time } }
      sinkEvent(at: index)
    }
  }

  @inlinable
  mutating func sinkEvent(at index: Int) {
    var place = index
    while place > 0, events[place].time < events[place - 1].time {
      events.swapAt(place, place - 1)
      place -= 1
    }
  }

  /// Keeps the events for which a closure returns true.
  ///
  /// The closure can change them.
  ///
  /// - Complexity: O(n).
  @inlinable
  public mutating func filter(_ isKept: (inout StampedEvent<Time>) -> Bool) {
    var place = 0
    for index in events.indices where isKept(&events[index]) {
      events[place] = events[index]
      place += 1
    }
    events.removeLast(events.count - place)
  }

  /// Removes the first events, and payload bytes that no remaining event uses.
  ///
  /// - Complexity: O(n).
  @inlinable
  mutating func removeFirst(_ count: Int) {
    events.removeFirst(count)
    var place: UInt32?
    for event in events {
      if let range = event.payload.bytes { place = min(place ?? .max, range.offset) }
    }
    guard let place else { return payloads.removeAll(keepingCapacity: true) }
    payloads.removeFirst(Int(place))
    for index in events.indices {
      guard let range = events[index].payload.bytes else { continue }
      events[index].payload = events[index].payload.moved(
        to: PayloadRange(offset: range.offset - place, count: range.count))
    }
  }

  /// Keeps the events from an index on for which a closure returns true, and all payload bytes.
  ///
  /// - Complexity: O(n).
  @inlinable
  mutating func keep(from start: Int, where isKept: (Int, StampedEvent<Time>) -> Bool) {
    var place = start
    for index in start..<events.count where isKept(index, events[index]) {
      events[place] = events[index]
      place += 1
    }
    events.removeLast(events.count - place)
  }

  /// Removes all events and keeps the memory.
  @inlinable
  public mutating func removeAll() {
    events.removeAll(keepingCapacity: true)
    payloads.removeAll(keepingCapacity: true)
  }
}

/// A list of events in reference time, as event sources send them to sinks.
public typealias EventBuffer = EventList<ReferenceTime>

/// A list of events in host time, as ports send and receive them.
public typealias HostEventBuffer = EventList<HostTime>
