// SPDX-License-Identifier: Apache-2.0
import MusicalTime

/// Reads a table in the format of midicsv and creates the MIDI file that the table describes.
///
/// Names may be in lower case, texts may lack quotation marks, and the rows of a track may be in
/// any order. Empty lines and lines that begin with `#` or `;` are ignored. A track without
/// `End_track` ends with its last event. `End_of_file` is optional.
///
/// Source: midicsv(5).
public struct CSVReader: Sendable {
  private let bytes: [UInt8]
  private var fields: [CSVField] = []
  private var assembler: FileAssembler?

  /// Returns the bytes of the MIDI file that a table describes.
  ///
  /// - Throws: `SequenceError.badRow`, with the number of the line and the reason, if a row cannot
  ///   be read.
  /// - Complexity: O(n) for rows in order of tick.
  public static func file(from table: [UInt8]) throws(SequenceError) -> [UInt8] {
    var reader = CSVReader(bytes: table)
    return try reader.read()
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private mutating func read() throws(SequenceError) -> [UInt8] {
    var position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var line = 0
    var isFinished = false
    while position < bytes.count, !isFinished {
      line += 1
      do {
        position = try split(from: position)
        isFinished = try takeRow()
      } catch {
        throw .badRow(line: line, reason: "\(error)")
      }
    }
    guard let assembler else {
      throw .badRow(
        line: line, reason: "Header row is missing (begin with: 0, 0, Header, 1, 2, 480)")
    }
    return try assembler.file()
  }

  /// Finds the fields of one line and returns the position after it.
  private mutating func split(from start: Int) throws(SequenceError) -> Int {
    fields.removeAll(keepingCapacity: true)
    var scanner = CSVScanner(bytes: bytes, position: start)
    if scanner.isComment { return scanner.nextLine() }
    while let field = try scanner.field() { fields.append(field) }
    return scanner.nextLine()
  }

  /// Processes a row; returns true for the last one.
  private mutating func takeRow() throws(SequenceError) -> Bool {
    guard !fields.isEmpty else { return false }
    guard fields.count >= 3 else {
      throw .outOfRange("a row needs a track, a tick and a name: 1, 480, Note_on_c, 0, 60, 64")
    }
    let written = String(decoding: bytes[fields[2].range], as: UTF8.self)
    guard let name = CSVName.byLowercased[written.lowercased()] else {
      throw .outOfRange("unknown row name \(written) (examples: Note_on_c, Text_t, Tempo)")
    }
    let track = try number(0, "track", 0...FileAssembler.maximumTracks)
    let tick = try number(1, "tick", 0...Int(EventRecord.maximumTick))
    switch name {
    case .header: try takeHeader()
    case .endOfFile: return true
    default: try take(name, track: track - 1, tick: Int64(tick))
    }
    return false
  }

  private mutating func takeHeader() throws(SequenceError) {
    guard assembler == nil else { throw .outOfRange("more than one Header row") }
    try expectValues(3)
    let format = try number(3, "format", 0...2)
    let bits = try number(5, "division", -32_768...65_535)
    guard let format = MusicSequence.Format(rawValue: UInt16(format)) else { return }
    do {
      let division = try Division(smfBits: UInt16(truncatingIfNeeded: bits))
      assembler = try FileAssembler(format: format, division: division)
    } catch {
      throw .outOfRange("\(error)")
    }
  }

  private mutating func take(
    _ name: CSVName, track: Int, tick: Int64
  ) throws(SequenceError) {
    guard assembler != nil else {
      throw .outOfRange("row before the Header row (begin with: 0, 0, Header, 1, 2, 480)")
    }
    guard track >= 0 else { throw .outOfRange("track 0 can only have Header and End_of_file rows") }
    switch name {
    case .startTrack: try assembler?.addTrack(track)
    case .endTrack: try assembler?.endTrack(track, at: tick)
    case .sysEx, .packet:
      let payload = try payload(at: 3)
      try assembler?.addSysEx(payload, isPacket: name == .packet, track: track, tick: tick)
    case .sequencerSpecific:
      let payload = try payload(at: 3)
      try assembler?.addMeta(0x7F, payload, track: track, tick: tick)
    case .unknownMeta:
      let type = UInt8(try number(3, "meta type", 0...255))
      let payload = try payload(at: 4)
      try assembler?.addMeta(type, payload, track: track, tick: tick)
    default:
      if let upper = CSVName.messages.firstIndex(of: name) {
        try takeMessage(UInt8(upper + 8) << 4, track: track, tick: tick)
      } else {
        try takeMeta(name, track: track, tick: tick)
      }
    }
  }

  private mutating func takeMessage(
    _ status: UInt8, track: Int, tick: Int64
  ) throws(SequenceError) {
    let isShort = status >= 0xC0
    try expectValues(isShort ? 2 : 3)
    let status = status | UInt8(try number(3, "channel", 0...15))
    if status >= 0xE0 {
      let bend = try number(4, "pitch bend", 0...16_383)
      try assembler?.addMessage(
        status, UInt8(bend & 0x7F), UInt8(bend >> 7), track: track, tick: tick)
    } else {
      let data1 = UInt8(try number(4, "value", 0...127))
      let data2 = isShort ? 0 : UInt8(try number(5, "value", 0...127))
      try assembler?.addMessage(status, data1, data2, track: track, tick: tick)
    }
  }

  private mutating func takeMeta(
    _ name: CSVName, track: Int, tick: Int64
  ) throws(SequenceError) {
    guard let meta = name.meta else { return }
    try expectValues(meta.count)
    let payload: [UInt8]
    switch name {
    case .sequenceNumber: payload = bigEndian(try number(3, "number", 0...65_535), bytes: 2)
    case .tempo: payload = bigEndian(try number(3, "tempo", 0...16_777_215), bytes: 3)
    case .keySignature: payload = try keySignature()
    case .channelPrefix, .port, .smpteOffset, .timeSignature:
      payload = try byteValues(from: 3, count: meta.count)
    default: payload = fields[3].text(in: bytes)
    }
    try assembler?.addMeta(meta.type, payload, track: track, tick: tick)
  }

  private func keySignature() throws(SequenceError) -> [UInt8] {
    let sharps = try number(3, "key", -128...127)
    let mode = String(decoding: fields[4].text(in: bytes), as: UTF8.self).lowercased()
    guard mode == "major" || mode == "minor" else {
      throw .outOfRange("mode \(mode) is not major or minor")
    }
    return [UInt8(bitPattern: Int8(sharps)), mode == "minor" ? 1 : 0]
  }

  /// The bytes of a row that states their number first.
  private func payload(at field: Int) throws(SequenceError) -> [UInt8] {
    let count = try number(field, "length", 0...0x0FFF_FFFF)
    try expectValues(field - 2 + count)
    return try byteValues(from: field + 1, count: count)
  }

  private func byteValues(from first: Int, count: Int) throws(SequenceError) -> [UInt8] {
    var values: [UInt8] = []
    values.reserveCapacity(count)
    for field in first..<first + count {
      values.append(UInt8(try number(field, "byte", 0...255)))
    }
    return values
  }

  private func expectValues(_ count: Int) throws(SequenceError) {
    guard fields.count == count + 3 else {
      let name = fields.count > 2 ? String(decoding: bytes[fields[2].range], as: UTF8.self) : ""
      throw .outOfRange("\(name) has \(fields.count - 3) values instead of \(count)")
    }
  }

  private func number(
    _ field: Int, _ name: StaticString, _ range: ClosedRange<Int>
  ) throws(SequenceError) -> Int {
    guard field < fields.count else { throw .outOfRange("the \(name) is missing") }
    guard let value = fields[field].number(in: bytes) else {
      let written = String(decoding: bytes[fields[field].range], as: UTF8.self)
      throw .outOfRange("\(name) \(written) is not a number")
    }
    guard range.contains(value) else {
      throw .outOfRange(
        "\(name) \(value) is out of range (allowed: \(range.lowerBound)…\(range.upperBound))")
    }
    return value
  }

  private func bigEndian(_ value: Int, bytes: Int) -> [UInt8] {
    (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
