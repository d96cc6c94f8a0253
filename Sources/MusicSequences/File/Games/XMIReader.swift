// SPDX-License-Identifier: Apache-2.0
import MusicalTime

/// Reads the sequences of the Miles sound system (`XMI`), used by many games of 1990–1998.
///
/// Time is counted in 120 ticks per second: 60 per quarter note at 120 beats per minute. Tempo
/// events in such a file are left over from the file that it was made from; they do not apply
/// and are ignored. Notes have a duration.
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
    guard !places.isEmpty else { throw .notMIDI("an XMI file without events") }
    let format: MusicSequence.Format = places.count == 1 ? .single : .pattern
    for place in places {
      var events = XMIEvents(
        stream: ScoreStream(reader, place, endingKind: .missingEndOfTrack))
      events.read()
      sequences.append(events.stream.builder.sequence(.ppqn(resolution), format: format))
      log.append(contentsOf: events.stream.builder.log)
    }
  }

  /// The positions of the contents of all `EVNT` chunks.
  private mutating func eventChunks() -> [Range<Int>] {
    var places: [Range<Int>] = []
    var offset = 0
    while let length = reader.long(at: offset + 4) {
      // Groups of chunks are entered: their contents begin with the name of their kind.
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
  var stream: ScoreStream

  mutating func read() {
    while !stream.isFinished { readEvent() }
  }

  private mutating func readEvent() {
    guard let byte = stream.next() else { return }
    switch byte {
    // Consecutive delays are added.
    case 0x00...0x7F: stream.builder.advance(by: UInt64(byte))
    case 0x90...0x9F: readNote(byte)
    case 0xC0...0xDF: if let data = stream.nextData() { stream.builder.message(byte, data) }
    case 0x80...0xEF:
      if let data1 = stream.nextData(), let data2 = stream.nextData() {
        stream.builder.message(byte, data1, data2)
      }
    case 0xFF: readMeta()
    case 0xF0, 0xF7: if let bytes = stream.payload() { stream.builder.payload(byte, bytes) }
    default: stream.builder.note(.systemStatus, at: stream.offset - 1, value: Int(byte))
    }
  }

  private mutating func readNote(_ status: UInt8) {
    guard let key = stream.nextData(), let velocity = stream.nextData(),
      let duration = stream.quantity()
    else {
      return
    }
    guard velocity > 0 else { return }
    stream.builder.note(status, key, velocity: velocity, duration: duration)
  }

  private mutating func readMeta() {
    guard let type = stream.next(), let bytes = stream.payload() else { return }
    if type == 0x2F {
      stream.finish()
    } else if type != 0x51 {
      stream.builder.payload(EventRecord.meta, type: type, bytes)
    }
  }
}
