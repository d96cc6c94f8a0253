// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicalTime

extension MusicTrack {
  /// The stored form of an event.
  ///
  /// Payloads are added to the track's payloads.
  mutating func record(for event: TrackEvent) throws(SequenceError) -> EventRecord {
    let tick = try Self.checked(event.tick)
    switch event.content {
    case .note(let note): return try note.record(at: tick)
    case .message(let message): return try message.record(at: tick)
    case .sysEx(let bytes):
      return try record(tick, EventRecord.sysEx, bytes, prefix: EventRecord.sysEx)
    case .packet(let bytes): return try record(tick, EventRecord.packet, bytes)
    case .user(let bytes): return try record(tick, EventRecord.user, bytes)
    case .parameter(let event): return try record(tick, EventRecord.parameter, event.bytes)
    case .meta(let meta):
      guard meta.type < 0x80, meta.type != 0x2F else {
        throw .outOfRange(
          "meta type \(meta.type) is not allowed (use 0…127, except 47, end of track)")
      }
      return try record(tick, EventRecord.meta, meta.bytes, type: meta.type)
    }
  }

  /// A tick that a record can store; otherwise an error is thrown.
  static func checked(_ tick: Tick) throws(SequenceError) -> UInt64 {
    guard tick.value >= 0 else { throw .beforeOrigin(tick) }
    guard tick.value <= Int64(EventRecord.maximumTick) else {
      throw .outOfRange("tick \(tick.value) is out of range (at most 281474976710655)")
    }
    return UInt64(tick.value)
  }

  /// The limit of a four-byte length, minus the prefix of a user event.
  private static let maximumPayload = 0x0FFF_FFFF - Keepsake.user.count

  private mutating func record(
    _ tick: UInt64, _ status: UInt8, _ bytes: [UInt8], prefix: UInt8? = nil, type: UInt8 = 0
  ) throws(SequenceError) -> EventRecord {
    guard bytes.count <= Self.maximumPayload,
      let offset = payloads.append(bytes, after: prefix)
    else {
      throw .outOfRange(
        "payload of \(bytes.count) bytes is too large (at most \(Self.maximumPayload))")
    }
    return EventRecord(tick: tick, status: status, data1: type, extent: offset)
  }

  /// Adds a record of another track, with a copy of its payload.
  ///
  /// - Returns: The record for this track.
  mutating func adopt(
    _ record: EventRecord, from other: MusicTrack
  ) throws(SequenceError) -> EventRecord {
    guard record.hasPayload else { return record }
    let payload = other.payloads[other.payloads.range(at: record.extent)]
    guard let offset = payloads.append(payload) else {
      throw .outOfRange("the track has more than \(PayloadStore.capacity) payload bytes")
    }
    var copy = record
    copy.extent = offset
    return copy
  }
}

extension Note {
  init(_ record: EventRecord) {
    self.init(
      Channel(index: record.status), Key(record.data1), velocity: record.data2,
      duration: Int64(record.extent),
      releaseVelocity: record.has(EventRecord.releasedByNoteOn) ? nil : record.releaseVelocity,
      eventsBeforeRelease: record.has(EventRecord.unreleased) ? 0 : Int(record.releaseRank))
  }

  func record(at tick: UInt64) throws(SequenceError) -> EventRecord {
    guard (1...127).contains(velocity), releaseVelocity ?? 0 <= 127 else {
      throw .outOfRange(
        "velocity \(velocity) is out of range (allowed: 1…127 for a note, 0…127 for a release)")
    }
    guard (0...Int64(EventRecord.maximumDuration)).contains(duration) else {
      throw .outOfRange("note length \(duration) ticks is out of range (allowed: 0…4294967294)")
    }
    var record = EventRecord(
      tick: tick, status: 0x90 | channel.index, data1: key.number, data2: velocity,
      extent: UInt32(duration))
    record.releaseVelocity = releaseVelocity ?? 64
    if releaseVelocity == nil { record.mark = EventRecord.releasedByNoteOn }
    record.releaseRank = UInt64(clamping: eventsBeforeRelease)
    return record
  }
}

extension Message {
  init(_ record: EventRecord) {
    self.init(status: record.status, data1: record.data1, data2: record.data2)
  }

  func record(at tick: UInt64) throws(SequenceError) -> EventRecord {
    guard (0x80...0xEF).contains(status), status & 0xF0 != 0x90, data1 < 0x80, data2 < 0x80 else {
      throw .outOfRange(
        "\(hexadecimal(Int(status))) must be a channel message, but not a note-on (insert a note instead)"
      )
    }
    // The second byte of a message with one data byte is not sent or stored.
    return EventRecord(tick: tick, status: status, data1: data1, data2: length == 2 ? 0 : data2)
  }
}
