// SPDX-License-Identifier: Apache-2.0
import MusicalTime

/// Reads the sequences of the Miles sound system (`XMI`), as many games of 1990–1998 hold them.
///
/// Time is 120 ticks a second: 60 a quarter note at 120 beats per minute. Tempo events in such a
/// file are left over from the file it was made of; they say nothing and are left out. Notes carry
/// their duration.
///
/// Source: the format's description in the Miles Sound System's tools; checked against files.
struct XMIReader {
  private let reader: ByteReader
  private(set) var sequences: [MusicSequence] = []
  private(set) var log = RepairLog(limit: RepairLog.fileLimit)

  static func recognizes(_ reader: ByteReader) -> Bool {
    reader.has("FORM", at: 0) && (reader.has("XDIR", at: 8) || reader.has("XMID", at: 8))
      || reader.has("CAT ", at: 0) && reader.has("XMID", at: 8)
  }

  init(_ reader: ByteReader) {
    self.reader = reader
  }

  mutating func read() throws(SequenceError) {
    guard let resolution = PPQN(60) else { return }
    let places = eventChunks()
    guard !places.isEmpty else { throw .notMIDI("an XMI file without events in it") }
    let format: MusicSequence.Format = places.count == 1 ? .single : .pattern
    for place in places {
      var events = XMIEvents(reader, place)
      events.read()
      sequences.append(events.builder.sequence(.ppqn(resolution), format: format))
      log.append(contentsOf: events.builder.log)
    }
  }

  /// The bytes of every `EVNT` chunk.
  private mutating func eventChunks() -> [Range<Int>] {
    var places: [Range<Int>] = []
    var offset = 0
    while let length = reader.long(at: offset + 4) {
      // What groups other chunks is entered: its bytes begin with the name of its kind.
      if reader.has("FORM", at: offset) || reader.has("CAT ", at: offset) {
        offset += 12
        continue
      }
      let end = min(offset + 8 + length, reader.count)
      if reader.has("EVNT", at: offset) {
        if end < offset + 8 + length {
          log.append(Repair(.trackLength, track: places.count, offset: offset, value: length))
        }
        places.append(offset + 8..<end)
      }
      offset = end + (length & 1)
    }
    return places
  }
}

/// The events of one sequence.
struct XMIEvents {
  private let reader: ByteReader
  private var offset: Int
  private let end: Int
  private(set) var isFinished = false
  var builder = ScoreBuilder()

  init(_ reader: ByteReader, _ place: Range<Int>) {
    self.reader = reader
    offset = place.lowerBound
    end = place.upperBound
  }

  mutating func read() {
    while !isFinished { readEvent() }
  }

  private mutating func next() -> UInt8? {
    guard offset < end else {
      if !isFinished { builder.note(.missingEndOfTrack, at: offset) }
      isFinished = true
      return nil
    }
    defer { offset += 1 }
    return reader.bytes[offset]
  }

  private mutating func nextData() -> UInt8? {
    guard let byte = next() else { return nil }
    if byte > 127 { builder.note(.dataByte, at: offset - 1, value: Int(byte)) }
    return min(byte, 127)
  }

  private mutating func readEvent() {
    guard let byte = next() else { return }
    switch byte {
    // Delays are added up.
    case 0x00...0x7F: builder.advance(by: UInt64(byte))
    case 0x90...0x9F: readNote(byte)
    case 0xC0...0xDF: if let data = nextData() { builder.message(byte, data) }
    case 0x80...0xEF:
      if let data1 = nextData(), let data2 = nextData() { builder.message(byte, data1, data2) }
    case 0xFF: readMeta()
    case 0xF0, 0xF7: if let bytes = readPayload() { builder.payload(byte, bytes) }
    default: builder.note(.systemStatus, at: offset - 1, value: Int(byte))
    }
  }

  private mutating func readNote(_ status: UInt8) {
    guard let key = nextData(), let velocity = nextData(), let duration = readQuantity() else {
      return
    }
    guard velocity > 0 else { return }
    builder.note(status, key, velocity: velocity, duration: duration)
  }

  private mutating func readMeta() {
    guard let type = next(), let bytes = readPayload() else { return }
    if type == 0x2F {
      isFinished = true
    } else if type != 0x51 {
      builder.payload(EventRecord.meta, type: type, bytes)
    }
  }

  private mutating func readPayload() -> ArraySlice<UInt8>? {
    guard let length = readQuantity() else { return nil }
    guard length <= UInt64(end - offset) else {
      builder.note(.truncatedPayload, at: offset, value: Int(clamping: length))
      isFinished = true
      return nil
    }
    defer { offset += Int(length) }
    return reader.bytes[offset..<offset + Int(length)]
  }

  private mutating func readQuantity() -> UInt64? {
    var value: UInt64 = 0
    for _ in 0..<9 {
      guard let byte = next() else { return nil }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { return value }
    }
    builder.note(.endlessQuantity, at: offset)
    isFinished = true
    return nil
  }
}
