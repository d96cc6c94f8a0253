// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages

/// The state of system messages as sent or received, with the last packet that changed each value.
struct SystemHistory: Sendable {
  struct Exclusive: Sendable {
    /// Nil if it was too long to be stored.
    var inside: [UInt8]?
    var count: UInt8
    var at: UInt64
  }

  /// The longest SysEx that is stored, the most that are stored, and the most bytes in a journal.
  static let longest = 200
  static let most = 16
  static let room = 600
  /// The most clocks that are repeated at once after a loss.
  static let mostClocks: UInt32 = 192

  var lastChange: UInt64 = 0
  var resets: (count: UInt8, at: UInt64) = (0, 0)
  var tuneRequests: (count: UInt8, at: UInt64) = (0, 0)
  var selectedSong: (value: UInt8, at: UInt64)?
  var sensings: (count: UInt8, at: UInt64) = (0, 0)
  var isRunning = false
  /// True if a clock was received since the start.
  var hasClock = false
  /// The position of the next clock, in MIDI clocks.
  var next: UInt32 = 0
  var songAt: UInt64 = 0
  var quarters: UInt32 = 0
  var quarterCount = 0
  var complete: UInt32?
  var point: UInt8 = 0
  var isBackward = false
  var quartersAt: UInt64 = 0
  var exclusives: [Exclusive] = []
  var exclusiveCount: UInt8 = 0
  /// The bytes of a SysEx that has not ended; empty if it is too long to be stored.
  private var open: [UInt8]?
  private var isTooLong = false

  var hasOpenSysEx: Bool { open != nil }

  /// Records a message; returns true if it resets all instruments.
  mutating func record(_ message: Message, at packet: UInt64) -> Bool {
    lastChange = packet
    switch message.status {
    case 0xF1: take(quarter: message.data1 & 0x7F, at: packet)
    case 0xF2:
      next = 6 * (UInt32(message.data1 & 0x7F) | UInt32(message.data2 & 0x7F) << 7)
      (hasClock, songAt) = (false, packet)
    case 0xF3: selectedSong = (message.data1 & 0x7F, packet)
    case 0xF6: tuneRequests = ((tuneRequests.count + 1) & 0x7F, packet)
    case 0xF8 where isRunning:
      next = (next + 1) & 0x7FFFF
      (hasClock, songAt) = (true, packet)
    case 0xFA: (isRunning, hasClock, next, songAt) = (true, false, 0, packet)
    case 0xFB: (isRunning, hasClock, songAt) = (true, false, packet)
    case 0xFC: (isRunning, hasClock, songAt) = (false, false, packet)
    case 0xFE: sensings = ((sensings.count + 1) & 0x7F, packet)
    case 0xFF:
      resets = ((resets.count + 1) & 0x7F, packet)
      return true
    default: break
    }
    return false
  }

  /// Records a SysEx or a piece of one; returns true if it resets all instruments.
  mutating func record(
    _ inside: [UInt8], opens: Bool, closes: Bool, at packet: UInt64
  ) -> Bool {
    lastChange = packet
    if opens { (open, isTooLong) = ([], false) }
    if open != nil, !isTooLong {
      open? += inside
      if let count = open?.count, count > Self.longest { (open, isTooLong) = ([], true) }
    }
    guard closes else { return false }
    let whole = open.flatMap { isTooLong ? nil : $0 }
    open = nil
    exclusiveCount &+= 1
    exclusives.append(Exclusive(inside: whole, count: exclusiveCount, at: packet))
    if exclusives.count > Self.most { exclusives.removeFirst() }
    // General MIDI on or off.
    return whole.map { $0.count == 4 && $0[0] == 0x7E && $0[2] == 0x09 } ?? false
  }

  mutating func cancelSysEx() { open = nil }

  private mutating func take(quarter: UInt8, at packet: UInt64) {
    let number = quarter >> 4
    if number == (point + 1) & 7 {
      isBackward = false
    } else if number == (point &- 1) & 7 {
      isBackward = true
    }
    if number == (isBackward ? 7 : 0) { quarterCount = 0 }
    let shift = UInt32(28 - 4 * Int(number))
    quarters = quarters & ~(0xF << shift) | UInt32(quarter & 0xF) << shift
    quarterCount += 1
    if quarterCount == 8 { complete = quarters }
    (point, quartersAt) = (number, packet)
  }

  /// Creates the system part of a journal.
  func journal(since checkpoint: UInt64, last: UInt64) -> SystemJournal {
    var journal = SystemJournal()
    func value(_ value: UInt8, _ at: UInt64) -> JournalValue? {
      at > 0 && at >= checkpoint ? JournalValue(value, isNew: at == last) : nil
    }
    journal.resets = value(resets.count, resets.at)
    journal.tuneRequests = value(tuneRequests.count, tuneRequests.at)
    if let selectedSong { journal.selectedSong = value(selectedSong.value, selectedSong.at) }
    journal.sensings = value(sensings.count, sensings.at)
    if songAt > 0, songAt >= checkpoint {
      journal.song = SystemJournal.Song(
        isNew: songAt == last, isRunning: isRunning, hasClock: hasClock,
        clock: hasClock ? (next &- 1) & 0x7FFFF : next)
    }
    if quartersAt > 0, quartersAt >= checkpoint {
      journal.quarters = SystemJournal.Quarters(
        isNew: quartersAt == last, complete: complete, isFullFrame: false,
        partial: quarterCount == 8 ? nil : quarters, isBackward: isBackward, point: point)
    }
    var room = Self.room
    for log in exclusives.reversed() where log.at >= checkpoint {
      room -= 3 + (log.inside?.count ?? 0)
      guard room >= 0 else { break }
      journal.exclusives.append(
        SystemJournal.Exclusive(
          isNew: log.at == last, count: log.count,
          inside: log.inside.flatMap { $0.isEmpty ? nil : $0 }, isWhole: true))
    }
    journal.exclusives.reverse()
    return journal
  }

  /// The commands that repair a loss; the caller records them.
  func mending(by journal: SystemJournal) -> [PacketCommand.Content] {
    var contents: [PacketCommand.Content] = []
    for log in journal.exclusives where log.isWhole {
      guard let count = log.count, let inside = log.inside,
        (1...128).contains(count &- exclusiveCount)
      else { continue }
      contents.append(.sysEx(inside, opens: true, closes: true))
    }
    if let count = journal.resets?.value, count != resets.count {
      contents.append(.message(Message(status: 0xFF)))
    }
    if let count = journal.tuneRequests?.value, count != tuneRequests.count {
      contents.append(.message(Message(status: 0xF6)))
    }
    if let song = journal.selectedSong?.value, song != selectedSong?.value {
      contents.append(.message(Message(status: 0xF3, data1: song)))
    }
    if let song = journal.song { contents += mending(by: song).map { .message($0) } }
    return contents
  }

  /// Takes over the counts of the sender.
  mutating func agree(with journal: SystemJournal) {
    if let count = journal.exclusives.last?.count { exclusiveCount = count }
    if let count = journal.resets?.value { resets.count = count }
    if let count = journal.tuneRequests?.value { tuneRequests.count = count }
    if let count = journal.sensings?.value { sensings.count = count }
  }

  private func mending(by song: SystemJournal.Song) -> [Message] {
    let clock = song.clock ?? 0
    let target = song.hasClock ? (clock + 1) & 0x7FFFF : clock
    let clocks = { (count: UInt32) in
      Array(repeating: Message(status: 0xF8), count: Int(count))
    }
    let position = min(target / 6, 0x3FFF)
    let place = Message(
      status: 0xF2, data1: UInt8(position & 0x7F), data2: UInt8(position >> 7))
    guard song.isRunning else {
      let stop = isRunning ? [Message(status: 0xFC)] : []
      return target == next ? stop : stop + [place]
    }
    if isRunning, target >= next, target - next <= Self.mostClocks { return clocks(target - next) }
    let stop = isRunning ? [Message(status: 0xFC)] : []
    if position == 0 { return stop + [Message(status: 0xFA)] + clocks(target) }
    return stop + [place, Message(status: 0xFB)] + clocks(min(target - 6 * position, 6))
  }
}
