// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime

/// The events to send, in order of time, until they are due.
///
/// A long SysEx is sent in pieces, as fast as `SysExPace` allows, and holds back all other messages
/// except real-time messages until its last piece. Real-time messages within a millisecond of a
/// piece share its packet, so that they cannot overtake each other. `cancel` removes events by
/// their requested times: a SysEx that began before the instant is completed, and the events
/// waiting behind it remain.
struct SessionQueue: Sendable {
  struct Entry: Sendable {
    var time: HostTime
    var content: PacketCommand.Content
    /// True for a piece of a long SysEx.
    var isPiece = false

    /// The size in a packet in bytes, at most.
    var size: Int { inside.map { $0.count + 6 } ?? 7 }

    var isLong: Bool { inside.map { $0.count > SessionQueue.longestAtOnce } ?? false }

    var isRealTime: Bool {
      if case .message(let message) = content { message.status >= 0xF8 } else { false }
    }

    var inside: [UInt8]? {
      if case .sysEx(let inside, _, _) = content { inside } else { nil }
    }
  }

  /// A long SysEx of which a piece has been sent.
  private struct LongSysEx: Sendable {
    let time: HostTime
    let bytes: [UInt8]
    let (opens, closes): (Bool, Bool)
    var sent = 0
  }

  /// The events of a packet that is being filled.
  private struct Group {
    var entries: [Entry] = []
    /// Later events are not included.
    var limit: HostTime
    /// The number of bytes left.
    var room: Int

    var end: HostTime { entries.last?.time ?? HostTime(nanoseconds: .min) }

    var hasPiece: Bool { entries.contains { $0.isPiece } }
  }

  /// The most waiting events; the last `reserve` of them can only be releases and clocks.
  static let capacity = 8_192
  static let reserve = 200
  /// The longest SysEx that is sent at once, in bytes.
  static let longestAtOnce = 256
  /// The most bytes of waiting long SysEx messages, unless a single message is longer.
  static let longRoom = 1 << 20

  private var entries: [Entry] = []
  private var first = 0
  private var current: LongSysEx?
  private var pace = SysExPace()
  /// Only real-time messages are due before this time: the last piece of a long SysEx, or shortly
  /// after its end.
  private var floor = HostTime.zero
  /// The number of bytes of long SysEx messages that have not been sent completely.
  private var longOctets = 0
  /// True if a SysEx that is sent in parts has begun and not ended.
  private var isInSysEx = false
  private var longestDelay: Int64 = 0

  /// The number of bytes of long SysEx messages that have been sent, and their total, including F0
  /// and F7.
  var sysExProgress: (sent: Int, total: Int) { (current?.sent ?? 0, longOctets) }

  var count: Int { entries.count - first + (current == nil ? 0 : 1) }

  /// The time of the next event; nil if none waits.
  var nextTime: HostTime? {
    guard current != nil else { return first < entries.count ? due(entries[first]) : nil }
    let piece = pieceTime
    return nextRealTime.map { min(entries[$0].time, piece) } ?? piece
  }

  /// Adds a message; returns false if the queue is full.
  mutating func add(_ message: Message, at time: HostTime) -> Bool {
    let mayWait = !message.isRelease && message.status < 0xF8
    guard count < Self.capacity - (mayWait ? Self.reserve : 0) else { return false }
    insert(Entry(time: time, content: .message(message)))
    return true
  }

  /// Adds a SysEx without F0 and F7, or a part of one; returns false if the queue is full.
  mutating func add(sysEx bytes: [UInt8], part: SysExPart?, at time: HostTime) -> Bool {
    guard count < Self.capacity - Self.reserve else { return false }
    let (opens, closes) = (part == nil || part == .first, part == nil || part == .last)
    let content: PacketCommand.Content =
      part == .abandoned ? .cancelledSysEx : .sysEx(bytes, opens: opens, closes: closes)
    let entry = Entry(time: time, content: content)
    if entry.isLong {
      guard longOctets == 0 || longOctets + bytes.count <= Self.longRoom else { return false }
      longOctets += bytes.count + 2
    }
    insert(entry)
    return true
  }

  /// Removes the events for the next packet, if the first is due before an instant.
  ///
  /// - Parameters:
  ///   - limit: Later events wait.
  ///   - now: The current time: a late SysEx is sent late as a whole.
  ///   - span: The longest time from the first to the last event, in nanoseconds.
  ///   - room: The most bytes.
  ///   - speed: The speed of a long SysEx in bytes per second; nil for as fast as the window
  ///     allows.
  /// - Returns: The events in order, with the times for their time stamps; empty if the first must
  ///   wait.
  mutating func take(
    before limit: HostTime, at now: HostTime, span: Int64, room: Int, speed: Int? = nil
  ) -> [Entry] {
    var group = Group(limit: limit, room: room)
    while let entry = takeNext(into: group, at: now, speed: speed) {
      group.room -= entry.size
      if group.entries.isEmpty { group.limit = entry.time.advanced(saturating: span) }
      group.entries.append(entry)
    }
    return group.entries
  }

  /// Counts the bytes of a packet that was sent.
  mutating func charge(_ octets: Int, at time: HostTime) { pace.charge(octets, at: time) }

  /// The longest delay of an event behind a long SysEx since the last call, in nanoseconds.
  mutating func takeLongestDelay() -> Int64 {
    defer { longestDelay = 0 }
    return longestDelay
  }

  /// Cancels events from an instant on.
  ///
  /// A SysEx that is interrupted by this is cancelled.
  mutating func cancel(from time: HostTime) {
    entries.removeFirst(first)
    first = 0
    for entry in entries where entry.isLong && entry.time >= time {
      longOctets -= (entry.inside?.count ?? 0) + 2
    }
    entries.removeAll { $0.time >= time }
    guard let cut = current, cut.time >= time else { return }
    current = nil
    longOctets -= cut.bytes.count + 2
    insert(Entry(time: time, content: .cancelledSysEx))
  }

  /// Ends a SysEx of which parts were sent and that will not continue.
  mutating func cancelSysEx(at time: HostTime) {
    guard isInSysEx, count == 0 else { return }
    insert(Entry(time: time, content: .cancelledSysEx))
  }
}

extension SessionQueue {
  private func due(_ entry: Entry) -> HostTime {
    entry.isRealTime ? entry.time : max(entry.time, floor)
  }

  /// The time of the next piece of the current SysEx.
  private var pieceTime: HostTime { max(current?.time ?? .zero, floor, pace.next) }

  /// The index of the first real-time message.
  private var nextRealTime: Int? { entries[first...].firstIndex { $0.isRealTime } }

  private mutating func begin() {
    guard case .sysEx(let bytes, let opens, let closes) = entries[first].content else { return }
    current = LongSysEx(time: entries[first].time, bytes: bytes, opens: opens, closes: closes)
    dropFirst(1)
  }

  /// Removes the next event for a packet; nil if it is due later or does not fit.
  private mutating func takeNext(into group: Group, at now: HostTime, speed: Int?) -> Entry? {
    if current == nil, first < entries.count, entries[first].isLong,
      due(entries[first]) <= group.limit
    {
      begin()
    }
    guard current != nil else {
      return first < entries.count ? takeEntry(at: first, into: group) : nil
    }
    let piece = max(pieceTime, now, group.end)
    if let place = nextRealTime, group.hasPiece || entries[place].time <= piece {
      return takeEntry(at: place, into: group)
    }
    guard piece <= group.limit, !group.hasPiece, group.room >= Self.leastRoom else { return nil }
    return takePiece(at: piece, room: group.room, speed: speed)
  }

  /// A packet with less room does not get a piece of a SysEx, in bytes.
  private static let leastRoom = 128
  /// The room in a packet with a piece for other events, in bytes.
  private static let roomBeside = 48
  /// The time from the last piece to the events waiting for it, in nanoseconds.
  ///
  /// It allows for varying network delays.
  private static let gap: Int64 = 1_000_000

  private mutating func takeEntry(at place: Int, into group: Group) -> Entry? {
    var entry = entries[place]
    let time = max(due(entry), group.end)
    guard time <= group.limit, entry.size <= group.room || group.entries.isEmpty else {
      return nil
    }
    if !entry.isRealTime { noteDelay(from: entry.time, to: time, after: floor) }
    noteSysEx(entry.content)
    entry.time = time
    if place == first { dropFirst(1) } else { entries.remove(at: place) }
    return entry
  }

  private mutating func takePiece(at time: HostTime, room: Int, speed: Int?) -> Entry {
    guard var long = current else { preconditionFailure("internal error: no SysEx is being sent") }
    if long.sent == 0 { noteDelay(from: long.time, to: time, after: floor) }
    let most = pace.pieceLength(room: room - 6 - Self.roomBeside, speed: speed)
    let length = min(most, long.bytes.count - long.sent)
    let content = PacketCommand.Content.sysEx(
      Array(long.bytes[long.sent..<long.sent + length]), opens: long.opens && long.sent == 0,
      closes: long.closes && long.sent + length == long.bytes.count)
    long.sent += length
    if let speed { pace.wait(for: length, at: speed, from: time) }
    let isOver = long.sent == long.bytes.count
    floor = isOver ? time.advanced(saturating: Self.gap) : time
    if isOver { longOctets -= long.bytes.count + 2 }
    current = isOver ? nil : long
    noteSysEx(content)
    return Entry(time: time, content: content, isPiece: true)
  }

  private mutating func dropFirst(_ count: Int) {
    first += count
    guard first == entries.count || first > 4_096 else { return }
    entries.removeFirst(first)
    first = 0
  }

  /// Records the delay of an event, if it waited for the last piece of a SysEx (`floor`).
  private mutating func noteDelay(from time: HostTime, to due: HostTime, after floor: HostTime) {
    guard floor > time, time > .zero else { return }
    longestDelay = max(longestDelay, due.nanoseconds(since: time))
  }

  private mutating func noteSysEx(_ content: PacketCommand.Content) {
    switch content {
    case .sysEx(_, _, let closes): isInSysEx = !closes
    case .cancelledSysEx: isInSysEx = false
    case .message: break
    }
  }

  /// Inserts an entry after those that are due at the same time or earlier.
  private mutating func insert(_ entry: Entry) {
    var (low, high) = (first, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].time <= entry.time { low = middle + 1 } else { high = middle }
    }
    entries.insert(entry, at: low)
  }
}
