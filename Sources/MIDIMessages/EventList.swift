// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A reusable list of timed events and the payload bytes they refer to.
///
/// It grows to the largest window it has held and then allocates no more.
public struct EventList<Time: Instant>: Sendable {
  /// The events, in the order in which they are to be sent.
  public var events: ContiguousArray<StampedEvent<Time>>
  /// The bytes that payloads of SysEx point into.
  public var payloads: ContiguousArray<UInt8>

  /// Creates an empty buffer with room for a number of events and payload bytes.
  @inlinable
  public init(capacity: Int = 1024, payloadCapacity: Int = 16384) {
    events = []
    payloads = []
    events.reserveCapacity(capacity)
    payloads.reserveCapacity(payloadCapacity)
  }

  /// Whether nothing is held.
  @inlinable
  public var isEmpty: Bool { events.isEmpty }

  /// Adds an event that refers to no payload, or to one already held.
  @inlinable
  public mutating func append(_ event: StampedEvent<Time>) {
    events.append(event)
  }

  /// Adds a SysEx message, copying its bytes (without F0 and F7).
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

  /// Adds an event that becomes a SysEx message, or keeps being part of one, copying its bytes
  /// (without F0 and F7).
  @inlinable
  public mutating func append(_ event: StampedEvent<Time>, sysEx bytes: Span<UInt8>) {
    var event = event
    event.payload = event.payload.moved(
      to: PayloadRange(offset: UInt32(payloads.count), count: UInt32(bytes.count)))
    for index in bytes.indices { payloads.append(bytes[index]) }
    events.append(event)
  }

  /// Adds an event of another buffer, copying the bytes it refers to.
  @inlinable
  public mutating func append(_ event: StampedEvent<Time>, payloads source: Span<UInt8>) {
    guard let place = event.payload.bytes else { return append(event) }
    let end = Int(place.offset) + Int(place.count)
    append(event, sysEx: source.extracting(Int(place.offset)..<end))
  }

  /// Orders the events by time, keeping the order of those at one time.
  ///
  /// - Complexity: O(n log n); O(n) where they are in order already.
  @inlinable
  public mutating func sortByTime() {
    for index in events.indices.dropFirst() where events[index].time < events[index - 1].time {
      // A few move within the list, which needs no memory; many are sorted.
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

  /// Keeps the events that pass a test, which may change them.
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

  /// Removes the first events, and the bytes that no other refers to.
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

  /// Keeps the events from one on that pass a test, and the bytes of all.
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

  /// Forgets everything and keeps the room.
  @inlinable
  public mutating func removeAll() {
    events.removeAll(keepingCapacity: true)
    payloads.removeAll(keepingCapacity: true)
  }
}

/// What flows from sources to sinks: events due in reference time.
public typealias EventBuffer = EventList<ReferenceTime>

/// What ports bring and take: events at host times.
public typealias HostEventBuffer = EventList<HostTime>
