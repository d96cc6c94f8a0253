// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime

/// The events that wait for a long SysEx, in order of time.
struct HeldEvents: Sendable {
  /// The content of an event.
  enum Content: Sendable {
    case message(Message)
    /// A SysEx without its F0 and F7, or the given part of one.
    case sysEx(ContiguousArray<UInt8>, SysExPart?)
  }

  struct Event: Sendable {
    /// The original time.
    let time: HostTime
    let content: Content
  }

  /// The maximum number of waiting events, and how many of them are reserved for releases.
  static let capacity = 8_192
  static let reserve = 200
  /// The maximum number of waiting SysEx bytes, unless a single message is longer.
  static let room = 1 << 20

  private var events: ContiguousArray<Event> = []
  private var place = 0
  /// The number of waiting SysEx bytes, including F0 and F7.
  private(set) var byteCount = 0
  /// The bytes of those that are sent in pieces.
  private(set) var longByteCount = 0

  var isEmpty: Bool { place == events.count }

  /// The next event; nil if no event waits.
  var first: Event? { isEmpty ? nil : events[place] }

  /// Adds a message; returns false if the list is full.
  mutating func add(_ message: Message, at time: HostTime) -> Bool {
    let most = Self.capacity - (message.isRelease ? 0 : Self.reserve)
    guard events.count - place < most else { return false }
    insert(Event(time: time, content: .message(message)))
    return true
  }

  /// Adds a SysEx or a part of one; returns false if the list is full.
  mutating func add(sysEx payload: Span<UInt8>, _ part: SysExPart?, at time: HostTime) -> Bool {
    guard events.count - place < Self.capacity - Self.reserve,
      byteCount == 0 || byteCount + payload.count + 2 <= Self.room
    else { return false }
    var bytes: ContiguousArray<UInt8> = []
    bytes.reserveCapacity(payload.count)
    for index in payload.indices { bytes.append(payload[index]) }
    count(bytes, 1)
    insert(Event(time: time, content: .sysEx(bytes, part)))
    return true
  }

  /// Inserts cancelled events before all waiting events, in order.
  mutating func putBack(_ returned: [Event]) {
    for case .sysEx(let bytes, _) in returned.map(\.content) { count(bytes, 1) }
    events.insert(contentsOf: returned, at: place)
  }

  /// Removes the next event.
  mutating func removeFirst() {
    if let event = first { forget(event) }
    place += 1
    guard isEmpty || place > 4_096 else { return }
    events.removeFirst(place)
    place = 0
  }

  /// Removes the events due at or after an instant.
  mutating func cancel(from time: HostTime) {
    events.removeFirst(place)
    place = 0
    for event in events where event.time >= time { forget(event) }
    events.removeAll { $0.time >= time }
  }

  private mutating func forget(_ event: Event) {
    if case .sysEx(let bytes, _) = event.content { count(bytes, -1) }
  }

  /// Adds the bytes of a message to the counts, or subtracts them.
  private mutating func count(_ bytes: ContiguousArray<UInt8>, _ sign: Int) {
    byteCount += sign * (bytes.count + 2)
    if bytes.count > ALSAOutputPort.longestAtOnce { longByteCount += sign * (bytes.count + 2) }
  }

  /// Inserts an event after those of the same or an earlier time; most events are appended.
  private mutating func insert(_ event: Event) {
    var index = events.count
    while index > place, events[index - 1].time > event.time { index -= 1 }
    events.insert(event, at: index)
  }
}
