// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime

/// What is to be sent, in the order of its times, until it is due.
///
/// A long SysEx is cut into pieces at the speed of a cable, and holds back all but real-time messages
/// until its last piece, as an output port does.
struct SessionQueue: Sendable {
  struct Entry: Sendable {
    var time: HostTime
    var content: PacketCommand.Content
    /// Whether it is part of a long SysEx.
    var isPiece = false

    /// What it takes in a packet, in octets at most.
    var size: Int {
      if case .sysEx(let inside, _, _) = content { inside.count + 6 } else { 7 }
    }
  }

  /// How many events wait at most, and of these how many only releases and clocks may be.
  static let capacity = 8_192
  static let reserve = 200
  /// The longest SysEx that goes at once, and what a piece of a longer one has, in octets.
  static let pieceLength = 256

  private var entries: [Entry] = []
  private var first = 0
  /// Until when a long SysEx keeps the port.
  private var heldUntil = HostTime.zero
  private var pieces = 0
  /// Whether a SysEx that leaves in parts has begun and not ended.
  private var isInSysEx = false
  private var progress = (sent: 0, total: 0)

  var sysExProgress: (sent: Int, total: Int) { pieces > 0 ? progress : (0, 0) }

  var count: Int { entries.count - first }
  var nextTime: HostTime? { first < entries.count ? entries[first].time : nil }

  /// Takes a message; whether there was room.
  mutating func add(_ message: Message, at time: HostTime) -> Bool {
    let mayWait = !message.isRelease && message.status < 0xF8
    guard count - pieces < Self.capacity - (mayWait ? Self.reserve : 0) else { return false }
    let due = message.status < 0xF8 ? max(time, heldUntil) : time
    insert(Entry(time: due, content: .message(message)))
    return true
  }

  /// Takes a SysEx without its F0 and F7, or a part of one; whether there was room.
  mutating func add(
    sysEx bytes: [UInt8], part: SysExPart?, at time: HostTime, now: HostTime, speed: Int
  ) -> Bool {
    guard count - pieces < Self.capacity - Self.reserve else { return false }
    let (opens, closes) = (part == nil || part == .first, part == nil || part == .last)
    guard bytes.count > Self.pieceLength else {
      let content: PacketCommand.Content =
        part == .abandoned ? .cancelledSysEx : .sysEx(bytes, opens: opens, closes: closes)
      insert(Entry(time: max(time, heldUntil), content: content))
      return true
    }
    // One at a time bounds what is kept.
    guard pieces == 0 else { return false }
    progress = (0, bytes.count + 2)
    let start = max(time, heldUntil, now)
    for offset in stride(from: 0, to: bytes.count, by: Self.pieceLength) {
      let end = min(offset + Self.pieceLength, bytes.count)
      let due = start.advanced(saturating: Int64(offset) * 1_000_000_000 / Int64(speed))
      let content = PacketCommand.Content.sysEx(
        Array(bytes[offset..<end]), opens: opens && offset == 0,
        closes: closes && end == bytes.count)
      insert(Entry(time: due, content: content, isPiece: true))
      pieces += 1
      heldUntil = due.advanced(saturating: 1)
    }
    return true
  }

  /// The events that a packet begins with, if the first is due before an instant.
  ///
  /// - Parameters:
  ///   - limit: What is due later waits.
  ///   - span: How much later than the first they may be, in nanoseconds.
  ///   - room: Their octets at most.
  /// - Returns: The events in their order; none where the first has to wait.
  mutating func take(before limit: HostTime, span: Int64, room: Int) -> ArraySlice<Entry> {
    guard let start = nextTime, start <= limit else { return [] }
    let last = start.advanced(saturating: span)
    var (end, size) = (first, 0)
    while end < entries.count, entries[end].time <= last {
      size += entries[end].size
      guard size <= room || end == first else { break }
      if entries[end].isPiece {
        pieces -= 1
        progress.sent += entries[end].size - 6
      }
      noteSysEx(entries[end].content)
      end += 1
    }
    let taken = entries[first..<end]
    first = end
    if first == entries.count || first > 4_096 {
      entries.removeFirst(first)
      first = 0
    }
    return taken
  }

  /// Forgets what is due from an instant on; a SysEx that is cut short so is cancelled.
  mutating func cancel(from time: HostTime) {
    entries.removeFirst(first)
    first = 0
    let gone = entries.filter { $0.time >= time && $0.isPiece }
    entries.removeAll { $0.time >= time }
    pieces -= gone.count
    heldUntil = min(heldUntil, time)
    guard case .sysEx(_, let opens, _) = gone.first?.content, !opens else { return }
    insert(Entry(time: time, content: .cancelledSysEx))
  }

  /// Ends a SysEx whose parts have left and that goes on no more.
  mutating func cancelSysEx(at time: HostTime) {
    guard isInSysEx, count == 0 else { return }
    insert(Entry(time: time, content: .cancelledSysEx))
  }

  private mutating func noteSysEx(_ content: PacketCommand.Content) {
    switch content {
    case .sysEx(_, _, let closes): isInSysEx = !closes
    case .cancelledSysEx: isInSysEx = false
    case .message: break
    }
  }

  /// Inserts an entry behind those that are due at the same time or before it.
  private mutating func insert(_ entry: Entry) {
    var (low, high) = (first, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].time <= entry.time { low = middle + 1 } else { high = middle }
    }
    entries.insert(entry, at: low)
  }
}
