// SPDX-License-Identifier: Apache-2.0

/// The system part of a journal: its chapters D, V, Q, F and X.
///
/// Undefined commands (in chapter D) are skipped when reading and never written.
///
/// Source: RFC 6295, appendix B.
package struct SystemJournal: Hashable, Sendable {
  /// The state of the sequencer (Q).
  package struct Song: Hashable, Sendable {
    package var isNew: Bool
    package var isRunning: Bool
    /// True if `clock` is the position of the last clock, false if of the next.
    package var hasClock: Bool
    /// A position in MIDI clocks, below 2¹⁹; nil if not stated.
    package var clock: UInt32?
  }

  /// Quarter frames (F).
  package struct Quarters: Hashable, Sendable {
    package var isNew: Bool
    /// The eight nibbles of the last complete time, the first in the highest bits.
    package var complete: UInt32?
    /// True if `complete` was a full frame of four bytes.
    package var isFullFrame: Bool
    /// The nibbles received since then.
    package var partial: UInt32?
    package var isBackward: Bool
    /// The number of the last quarter frame, 0…7.
    package var point: UInt8
  }

  /// A SysEx (X).
  package struct Exclusive: Hashable, Sendable {
    package var isNew: Bool
    /// The number of SysEx messages including this one, modulo 256.
    package var count: UInt8?
    /// The content, if the log has all of it.
    package var inside: [UInt8]?
    /// True if the message is complete, with its end (F7).
    package var isWhole: Bool
  }

  /// The number of resets, the number of tune requests, and the selected song (D).
  package var resets: JournalValue?
  package var tuneRequests: JournalValue?
  package var selectedSong: JournalValue?
  /// The number of active sensing messages (V).
  package var sensings: JournalValue?
  package var song: Song?
  package var quarters: Quarters?
  package var exclusives: [Exclusive] = []

  /// Creates an empty part.
  package init() {}

  /// True if the previous packet changed any of it.
  var isNew: Bool {
    simple.contains { $0.isNew } || sensings?.isNew ?? false || song?.isNew ?? false
      || quarters?.isNew ?? false || exclusives.contains { $0.isNew }
  }

  /// True if it does not contain anything.
  var isEmpty: Bool {
    simple.isEmpty && sensings == nil && song == nil && quarters == nil && exclusives.isEmpty
  }

  private var simple: [JournalValue] { [resets, tuneRequests, selectedSong].compactMap(\.self) }

  /// The encoded bytes; the caller must ensure that there are at most 1,023.
  var encoded: [UInt8] {
    var inside: [UInt8] = []
    var head = UInt16(isNew ? 0 : 0x8000)
    if !simple.isEmpty {
      head |= 0x4000
      var flags: UInt8 = simple.contains { $0.isNew } ? 0 : 0x80
      if resets != nil { flags |= 0x40 }
      if tuneRequests != nil { flags |= 0x20 }
      if selectedSong != nil { flags |= 0x10 }
      inside += [flags] + simple.map(\.octet)
    }
    if let sensings {
      head |= 0x2000
      inside.append(sensings.octet)
    }
    if let song {
      head |= 0x1000
      inside += Self.octets(song)
    }
    if let quarters {
      head |= 0x0800
      inside += Self.octets(quarters)
    }
    if !exclusives.isEmpty {
      head |= 0x0400
      inside += exclusives.flatMap(Self.octets)
    }
    var octets: [UInt8] = []
    octets.append(highFirst: head | UInt16(inside.count + 2) & 0x3FF)
    return octets + inside
  }

  private static func octets(_ song: Song) -> [UInt8] {
    var flags: UInt8 = song.isNew ? 0 : 0x80
    if song.isRunning { flags |= 0x40 }
    if song.hasClock { flags |= 0x20 }
    guard let clock = song.clock else { return [flags] }
    var octets = [flags | 0x10 | UInt8(clock >> 16 & 7)]
    octets.append(highFirst: UInt16(truncatingIfNeeded: clock))
    return octets
  }

  private static func octets(_ quarters: Quarters) -> [UInt8] {
    var octets: [UInt8] = [(quarters.isNew ? 0 : 0x80) | (quarters.point & 7)]
    if quarters.isBackward { octets[0] |= 0x08 }
    if let complete = quarters.complete {
      octets[0] |= quarters.isFullFrame ? 0x40 : 0x50
      octets.append(highFirst: complete)
    }
    if let partial = quarters.partial {
      octets[0] |= 0x20
      octets.append(highFirst: partial)
    }
    return octets
  }

  private static func octets(_ log: Exclusive) -> [UInt8] {
    // The list form: one log for each message, in order.
    var octets: [UInt8] = [(log.isNew ? 0 : 0x80) | 0x04 | (log.isWhole ? 3 : 0)]
    if let count = log.count {
      octets[0] |= 0x20
      octets.append(count)
    }
    if let inside = log.inside, let last = inside.last {
      octets[0] |= 0x08
      octets += inside.dropLast().map { $0 & 0x7F } + [last | 0x80]
    }
    return octets
  }
}

extension SystemJournal {
  init(_ reader: inout OctetReader) throws(PacketError) {
    let head = try reader.take(UInt16.self)
    guard head & 0x3FF >= 2 else { throw .badJournal }
    var inside = OctetReader(try reader.take(count: Int(head & 0x3FF) - 2))
    if head & 0x4000 != 0 { try takeSimple(&inside) }
    if head & 0x2000 != 0 { sensings = JournalValue(try inside.take(UInt8.self)) }
    if head & 0x1000 != 0 { song = try Self.song(&inside) }
    if head & 0x0800 != 0 { quarters = try Self.quarters(&inside) }
    guard head & 0x0400 != 0 else { return }
    while !inside.isAtEnd { exclusives.append(try Self.exclusive(&inside)) }
  }

  private mutating func takeSimple(_ reader: inout OctetReader) throws(PacketError) {
    let flags = try reader.take(UInt8.self)
    if flags & 0x40 != 0 { resets = JournalValue(try reader.take(UInt8.self)) }
    if flags & 0x20 != 0 { tuneRequests = JournalValue(try reader.take(UInt8.self)) }
    if flags & 0x10 != 0 { selectedSong = JournalValue(try reader.take(UInt8.self)) }
    for flag in [0x08, 0x04] as [UInt8] where flags & flag != 0 {
      let length = Int(try reader.take(UInt16.self) & 0x3FF)
      guard length >= 2 else { throw .badJournal }
      _ = try reader.take(count: length - 2)
    }
    for flag in [0x02, 0x01] as [UInt8] where flags & flag != 0 {
      let length = Int(try reader.take(UInt8.self) & 0x1F)
      guard length >= 1 else { throw .badJournal }
      _ = try reader.take(count: length - 1)
    }
  }

  private static func song(_ reader: inout OctetReader) throws(PacketError) -> Song {
    let flags = try reader.take(UInt8.self)
    var song = Song(
      isNew: flags < 0x80, isRunning: flags & 0x40 != 0, hasClock: flags & 0x20 != 0, clock: nil)
    if flags & 0x10 != 0 {
      song.clock = UInt32(flags & 7) << 16 | UInt32(try reader.take(UInt16.self))
    }
    if flags & 0x08 != 0 { _ = try reader.take(count: 3) }
    return song
  }

  private static func quarters(_ reader: inout OctetReader) throws(PacketError) -> Quarters {
    let flags = try reader.take(UInt8.self)
    var quarters = Quarters(
      isNew: flags < 0x80, isFullFrame: flags & 0x50 == 0x40, isBackward: flags & 0x08 != 0,
      point: flags & 7)
    if flags & 0x40 != 0 { quarters.complete = try reader.take(UInt32.self) }
    if flags & 0x20 != 0 { quarters.partial = try reader.take(UInt32.self) }
    return quarters
  }

  private static func exclusive(_ reader: inout OctetReader) throws(PacketError) -> Exclusive {
    let flags = try reader.take(UInt8.self)
    var log = Exclusive(isNew: flags < 0x80, isWhole: flags & 3 == 3)
    if flags & 0x40 != 0 { _ = try reader.take(UInt8.self) }
    if flags & 0x20 != 0 { log.count = try reader.take(UInt8.self) }
    // A log that begins after the first byte is a part that cannot be played.
    let isPart = flags & 0x10 != 0
    if isPart { while try reader.take(UInt8.self) >= 0x80 {} }
    guard flags & 0x08 != 0 else { return log }
    var inside: [UInt8] = []
    while true {
      let octet = try reader.take(UInt8.self)
      inside.append(octet & 0x7F)
      if octet >= 0x80 { break }
    }
    log.inside = isPart ? nil : inside
    return log
  }
}
