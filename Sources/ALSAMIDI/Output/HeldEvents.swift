// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime

/// The events that wait behind a long SysEx, in order of time.
struct HeldEvents: Sendable {
  /// What an event sends.
  enum Content: Sendable {
    case message(Message)
    /// A SysEx without its F0 and F7, or the named part of one.
    case sysEx(ContiguousArray<UInt8>, SysExPart?)
  }

  struct Event: Sendable {
    /// When it was to leave.
    let time: HostTime
    let content: Content
  }

  /// How many events wait at most, and of these how many only releases may be.
  static let capacity = 8_192
  static let reserve = 200
  /// The bytes of SysEx messages that wait at most, unless one alone is longer.
  static let room = 1 << 20

  private var events: ContiguousArray<Event> = []
  private var place = 0
  /// The bytes of SysEx messages that wait, F0 and F7 included.
  private(set) var byteCount = 0
  /// The bytes of those that leave in pieces.
  private(set) var longByteCount = 0

  var isEmpty: Bool { place == events.count }

  /// The next to leave; nil if nothing waits.
  var first: Event? { isEmpty ? nil : events[place] }

  /// Takes a message; whether there was room.
  mutating func add(_ message: Message, at time: HostTime) -> Bool {
    let most = Self.capacity - (message.isRelease ? 0 : Self.reserve)
    guard events.count - place < most else { return false }
    insert(Event(time: time, content: .message(message)))
    return true
  }

  /// Takes a SysEx or a part of one; whether there was room.
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

  /// Puts what was handed on and taken back before all that waits, in order.
  mutating func putBack(_ returned: [Event]) {
    for case .sysEx(let bytes, _) in returned.map(\.content) { count(bytes, 1) }
    events.insert(contentsOf: returned, at: place)
  }

  /// Removes the next to leave.
  mutating func removeFirst() {
    if let event = first { forget(event) }
    place += 1
    guard isEmpty || place > 4_096 else { return }
    events.removeFirst(place)
    place = 0
  }

  /// Forgets what was to leave from an instant on.
  mutating func cancel(from time: HostTime) {
    events.removeFirst(place)
    place = 0
    for event in events where event.time >= time { forget(event) }
    events.removeAll { $0.time >= time }
  }

  private mutating func forget(_ event: Event) {
    if case .sysEx(let bytes, _) = event.content { count(bytes, -1) }
  }

  /// Adds the bytes of a message to the counts, or takes them off.
  private mutating func count(_ bytes: ContiguousArray<UInt8>, _ sign: Int) {
    byteCount += sign * (bytes.count + 2)
    if bytes.count > ALSAOutputPort.longestAtOnce { longByteCount += sign * (bytes.count + 2) }
  }

  /// Inserts an event behind those of its time or an earlier one; most come last.
  private mutating func insert(_ event: Event) {
    var index = events.count
    while index > place, events[index - 1].time > event.time { index -= 1 }
    events.insert(event, at: index)
  }
}
