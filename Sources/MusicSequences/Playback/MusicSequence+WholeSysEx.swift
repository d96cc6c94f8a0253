// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages

extension MusicSequence {
  /// The sequence with each SysEx that comes in packets whole at its last packet, and each escape
  /// that is one message as that message; the number of events is the same.
  ///
  /// Packets before the last stay: `MusicTrack.sysExPart(at:)` says which of them leave by
  /// themselves. A message that is not ended is not sent.
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
  /// The track with whole messages, or nil if there are no packets.
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

  /// Whether a packet goes on with no message: it begins with a status byte of its own.
  private static func isEscape(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first else { return false }
    return first >= 0x80 && first != 0xF7
  }

  private mutating func wholeSysEx(_ record: EventRecord, _ bytes: [UInt8]) -> EventRecord {
    var whole = record
    // A track that holds no more keeps the packet.
    guard let offset = payloads.append(bytes) else { return record }
    whole.status = EventRecord.sysEx
    whole.extent = offset
    return whole
  }

  /// The record of an escape as the one SysEx or channel message that it holds.
  ///
  /// Other escapes, and those that hold a note-on or note-off, stay as they are.
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
