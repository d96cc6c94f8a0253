// SPDX-License-Identifier: Apache-2.0

/// One stored event in sixteen bytes: a note with its duration, a message, or the offset of a
/// payload.
///
/// The first word is the tick (48 bits) above a mark (16 bits), so records can be sorted by it. The
/// second is the duration or payload offset (32 bits), release velocity, data 2, data 1 and status.
/// The last three are in the order of the file, so a word that is loaded from the file is nearly a
/// record.
struct EventRecord: BitwiseCopyable, Sendable, Equatable {
  var place: UInt64
  var body: UInt64

  /// The last tick that can be stored: 2⁴⁸ − 1.
  static let maximumTick: UInt64 = (1 << 48) - 1
  /// The longest duration that can be stored.
  ///
  /// The next value marks an open note.
  static let maximumDuration: UInt32 = .max - 1

  init(place: UInt64, body: UInt64) {
    self.place = place
    self.body = body
  }

  init(tick: UInt64, status: UInt8, data1: UInt8 = 0, data2: UInt8 = 0, extent: UInt32 = 0) {
    place = tick << 16
    body =
      UInt64(status) | UInt64(data1) << 8 | UInt64(data2) << 16 | UInt64(extent) << 32
  }

  var tick: UInt64 {
    get { place >> 16 }
    set { place = newValue << 16 | place & 0xFFFF }
  }

  /// Flags and a rank (see below); in the tempo track, the track of origin of the event.
  var mark: UInt16 {
    get { UInt16(truncatingIfNeeded: place) }
    set { place = place & ~0xFFFF | UInt64(newValue) }
  }

  var status: UInt8 {
    get { UInt8(truncatingIfNeeded: body) }
    set { body = body & ~0xFF | UInt64(newValue) }
  }

  var data1: UInt8 {
    get { UInt8(truncatingIfNeeded: body >> 8) }
    set { body = body & ~0xFF00 | UInt64(newValue) << 8 }
  }

  var data2: UInt8 {
    get { UInt8(truncatingIfNeeded: body >> 16) }
    set { body = body & ~0xFF_0000 | UInt64(newValue) << 16 }
  }

  var releaseVelocity: UInt8 {
    get { UInt8(truncatingIfNeeded: body >> 24) }
    set { body = body & ~0xFF00_0000 | UInt64(newValue) << 24 }
  }

  /// A note's duration in ticks, or the offset of a payload.
  var extent: UInt32 {
    get { UInt32(truncatingIfNeeded: body >> 32) }
    set { body = body & 0xFFFF_FFFF | UInt64(newValue) << 32 }
  }

  var isNote: Bool { status & 0xF0 == 0x90 }
  var isChannelMessage: Bool { status < 0xF0 }
  var hasPayload: Bool { status >= 0xF0 }
  /// The tick at which a note ends; the same as `tick` for other events.
  var endTick: UInt64 { isNote ? tick &+ UInt64(extent) : tick }
}

extension EventRecord {
  /// The note-off was a note-on of velocity 0, so it did not have a release velocity.
  static let releasedByNoteOn: UInt16 = 1
  /// The track did not contain a note-off for the note.
  ///
  /// The note was ended at the end of the track or, with rank 0, by the note-off of another track.
  /// That note-off, a separate record, also has this flag.
  static let unreleased: UInt16 = 2
  /// The first bit of a note's rank: the number of its track's records at its last tick that
  /// precede the note-off.
  static let rankShift: UInt64 = 2
  /// The highest rank that can be stored.
  static let maximumRank: UInt64 = (1 << 14) - 1

  /// Statuses of stored events.
  ///
  /// SysEx, packet and meta are as in files; the others are only used in memory.
  static let sysEx: UInt8 = 0xF0
  static let packet: UInt8 = 0xF7
  static let meta: UInt8 = 0xFF
  static let user: UInt8 = 0xF4
  static let parameter: UInt8 = 0xF5

  var releaseRank: UInt64 {
    get { place >> Self.rankShift & Self.maximumRank }
    set {
      let bits = Self.maximumRank << Self.rankShift
      place = place & ~bits | min(newValue, Self.maximumRank) << Self.rankShift
    }
  }

  /// The number of bits of a rank.
  static let rankBits: UInt64 = 14

  /// The tick of a note's release, in the bits above the rank.
  var releasePlace: UInt64 {
    min(endTick, EventRecord.maximumTick) << Self.rankBits | releaseRank
  }

  /// True if the note-off of another track ends the note.
  var isReleasedElsewhere: Bool { isNote && has(Self.unreleased) && releaseRank == 0 }

  func has(_ flag: UInt16) -> Bool { mark & flag != 0 }
}
