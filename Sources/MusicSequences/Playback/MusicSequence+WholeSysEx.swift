// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages

extension MusicSequence {
  /// A copy of the sequence in which SysEx messages that are split into packets are joined.
  ///
  /// The last packet of each such message is replaced by the whole message. An escape (`F7` event)
  /// that contains exactly one message is replaced by that message. The number of events does not
  /// change.
  ///
  /// The earlier packets remain; `MusicTrack.sysExPart(at:)` returns the part that is sent with
  /// each of them. A message without an end is not sent.
  ///
  /// Source: Standard MIDI Files 1.0 (RP-001), `F0` and `F7` events.
  ///
  /// - Complexity: O(n).
  public var withWholeSysEx: MusicSequence {
    var result = self
    for index in tracks.indices {
      guard let track = tracks[index].withWholeSysEx else { continue }
      result.tracks[index] = track
    }
    return result
  }
}

extension MusicTrack {
  /// The track with complete messages, or nil if it does not contain packets.
  fileprivate var withWholeSysEx: MusicTrack? {
    guard !payloads.bytes.isEmpty,
      records.chunks.contains(where: { $0.contains { $0.status == EventRecord.packet } })
    else { return nil }
    var track = self
    var list = records.all
    var begun: [UInt8] = []
    var places: [Int] = []
    for (index, record) in list.enumerated() {
      let isPacket = record.status == EventRecord.packet
      guard isPacket || record.status == EventRecord.sysEx else { continue }
      let bytes = payloads[payloads.range(at: record.extent)]
      if isPacket, begun.isEmpty || Self.isEscape(bytes) {
        list[index] = track.escape(record, bytes)
        continue
      }
      if !isPacket { (begun, places) = ([], []) }
      begun += bytes
      places.append(index)
      guard bytes.last == 0xF7 else { continue }
      if isPacket {
        list[index] = track.wholeSysEx(record, begun)
        if list[index].status == EventRecord.sysEx {
          list.markParts(places, endingWith: bytes.count)
        }
      }
      (begun, places) = ([], [])
    }
    track.records = RecordList(inOrder: list)
    return track
  }

  /// True if a packet does not continue a message, because it begins with a status byte.
  private static func isEscape(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first else { return false }
    return first >= 0x80 && first != 0xF7
  }

  private mutating func wholeSysEx(_ record: EventRecord, _ bytes: [UInt8]) -> EventRecord {
    var whole = record
    // If the track is full, the packet is kept.
    guard let offset = payloads.append(bytes) else { return record }
    whole.status = EventRecord.sysEx
    whole.extent = offset
    return whole
  }

  /// Converts an escape that consists of one SysEx or channel message to that message.
  ///
  /// Other escapes, and those with a note-on or note-off, are returned unchanged.
  private mutating func escape(_ record: EventRecord, _ bytes: ArraySlice<UInt8>) -> EventRecord {
    if bytes.count >= 2, bytes.first == 0xF0, bytes.last == 0xF7 {
      return wholeSysEx(record, Array(bytes))
    }
    guard let (message, count) = Message.first(in: Array(bytes).span, from: 0, before: bytes.count),
      count == bytes.count, (0xA0..<0xF0).contains(message.status)
    else { return record }
    return EventRecord(
      tick: record.tick, status: message.status, data1: message.data1, data2: message.data2)
  }
}
