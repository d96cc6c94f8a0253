// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import CommandOptions
internal import JSONText
package import MusicSequences
internal import MusicalTime
internal import PlayerControl
internal import PlayerViews

/// Creates a file from a list in JSON Lines.
///
/// Members that follow from others, such as seconds and bars, are ignored.
package struct JSONListReader {
  private var assembler: FileAssembler?

  /// Returns true if the data are JSON Lines, that is, if the first character other than white
  /// space opens an object.
  static func accepts(_ bytes: [UInt8]) -> Bool {
    bytes.first { $0 > 0x20 } == UInt8(ascii: "{")
  }

  /// Returns the bytes of the MIDI file.
  ///
  /// - Throws: `SequenceError.badRow` with the number of the line and the reason.
  package static func file(from list: [UInt8]) throws(SequenceError) -> [UInt8] {
    var reader = JSONListReader()
    var number = 0
    for line in ByteLines(list) {
      number += 1
      guard line.contains(where: { $0 > 0x20 }) else { continue }
      do {
        try reader.take(JSONReader.read(Array(line)))
      } catch {
        throw .badRow(line: number, reason: "\(error)")
      }
    }
    guard let assembler = reader.assembler else { throw .badRow(line: 1, reason: noHeader) }
    return try assembler.file()
  }

  private static let noHeader =
    #"no header (start with {"type":"header","format":1,"tracks":1,"division":{"ppqn":480}})"#

  private mutating func take(_ document: JSONValue) throws {
    let line = JSONMembers(document)
    switch try line.text("type") {
    case "header": try takeHeader(line)
    case "event": try takeEvent(line)
    case let type: throw SequenceError.outOfRange("type is \(type), not header or event")
    }
  }

  private mutating func takeHeader(_ line: JSONMembers) throws {
    guard assembler == nil else { throw SequenceError.outOfRange("more than one header") }
    let format = try line.number("format", 0...2)
    let tracks = try line.number("tracks", 0...FileAssembler.maximumTracks)
    var assembler = try FileAssembler(
      format: MusicSequence.Format(rawValue: UInt16(format)) ?? .simultaneous,
      division: try Self.division(JSONMembers(try line.value("division"))))
    if tracks > 0 { try assembler.addTrack(tracks - 1) }
    self.assembler = assembler
  }

  private static func division(_ members: JSONMembers) throws -> Division {
    if members.has("ppqn") {
      return try Division(smfBits: UInt16(try members.number("ppqn", 1...32_767)))
    }
    let ticks = try members.number("ticksPerFrame", 1...255)
    let rate = try Ratio(parsing: try members.text("fps"))
    let bytes: [UInt16] = [24, 25, 29, 30]
    for byte in bytes {
      let division = try Division(smfBits: (256 - byte) << 8 | UInt16(ticks))
      if case .smpte(let known, _) = division, known.framesPerSecond == rate { return division }
    }
    throw SequenceError.outOfRange("fps is \(rate), not 24, 25, 30000/1001 or 30")
  }

  private mutating func takeEvent(_ line: JSONMembers) throws {
    guard assembler != nil else { throw SequenceError.outOfRange(Self.noHeader) }
    let track = try line.number("track", 0...FileAssembler.maximumTracks - 1)
    let tick = Int64(try line.number("tick", 0...1 << 48 - 1))
    let name = try line.text("kind")
    guard let kind = EventKind(rawValue: name) else {
      throw SequenceError.outOfRange("kind \(name) is unknown")
    }
    if let status = kind.status {
      let (data1, data2) = try Self.message(kind, line)
      let channel = UInt8(try line.number("channel", 0...15))
      try assembler?.addMessage(status | channel, data1, data2, track: track, tick: tick)
    } else if kind == .endOfTrack {
      try assembler?.endTrack(track, at: tick)
    } else if kind == .sysEx || kind == .packet {
      let bytes = try line.bytes()
      try assembler?.addSysEx(bytes, isPacket: kind == .packet, track: track, tick: tick)
    } else {
      let (type, bytes) = try Self.meta(kind, line)
      try assembler?.addMeta(type, bytes, track: track, tick: tick)
    }
  }

  private static func message(
    _ kind: EventKind, _ line: JSONMembers
  ) throws -> (UInt8, UInt8) {
    func byte(_ name: String) throws -> UInt8 { UInt8(try line.number(name, 0...127)) }
    switch kind {
    case .noteOn, .noteOff: return (try byte("key"), try byte("velocity"))
    case .polyPressure: return (try byte("key"), try byte("pressure"))
    case .control: return (try byte("controller"), try byte("value"))
    case .program: return (try byte("program"), 0)
    case .channelPressure: return (try byte("pressure"), 0)
    default:
      let bend = try line.number("bend", 0...16_383)
      return (UInt8(bend & 0x7F), UInt8(bend >> 7))
    }
  }

  private static func meta(_ kind: EventKind, _ line: JSONMembers) throws -> (UInt8, [UInt8]) {
    if kind == .unknownMeta {
      return (UInt8(try line.number("metaType", 0...255)), try line.bytes())
    }
    let type = EventKind.metas.first { $0.kind == kind }?.type ?? 0
    // If bytes are given, they are used. The other members are then only for readers of the list.
    if line.has("bytes") { return (type, try line.bytes()) }
    if kind.isText { return (type, Array(try line.text("text").utf8)) }
    return (type, try values(kind, line))
  }

  private static func values(_ kind: EventKind, _ line: JSONMembers) throws -> [UInt8] {
    func byte(_ name: String) throws -> UInt8 { UInt8(try line.number(name, 0...255)) }
    switch kind {
    case .tempo:
      let length = try line.number("microsecondsPerQuarter", 0...0xFF_FFFF)
      return [16, 8, 0].map { UInt8(length >> $0 & 0xFF) }
    case .timeSignature:
      return try ["numerator", "denominatorPower", "clocksPerClick", "thirtySecondsPerQuarter"]
        .map(byte)
    case .keySignature:
      let sharps = UInt8(bitPattern: Int8(try line.number("sharps", -128...127)))
      return [sharps, try line.flag("minor") ? 1 : 0]
    case .sequenceNumber:
      let number = try line.number("number", 0...65_535)
      return [UInt8(number >> 8), UInt8(number & 0xFF)]
    case .channelPrefix: return [try byte("channel")]
    case .port: return [try byte("port")]
    default: return try line.bytes()
    }
  }
}

/// The members of a JSON object by name.
///
/// Each is checked when it is read.
struct JSONMembers {
  private let members: [(name: String, value: JSONValue)]

  init(_ document: JSONValue) {
    if case .object(let members) = document { self.members = members } else { members = [] }
  }

  func has(_ name: String) -> Bool { members.contains { $0.name == name } }

  func value(_ name: String) throws(SequenceError) -> JSONValue {
    guard let member = members.first(where: { $0.name == name }) else {
      throw .outOfRange("\(name) is missing")
    }
    return member.value
  }

  func text(_ name: String) throws(SequenceError) -> String {
    guard case .text(let text) = try value(name) else {
      throw .outOfRange("\(name) is not a string")
    }
    return text
  }

  func flag(_ name: String) throws(SequenceError) -> Bool {
    guard case .bool(let flag) = try value(name) else {
      throw .outOfRange("\(name) is not true or false")
    }
    return flag
  }

  func number(_ name: String, _ range: ClosedRange<Int>) throws(SequenceError) -> Int {
    let value = try value(name)
    guard case .decimal(let digits) = value, let number = Int(digits) else {
      throw .outOfRange("\(name) is not a whole number")
    }
    guard range.contains(number) else {
      throw .outOfRange("\(name) \(number) is not in \(range.lowerBound)…\(range.upperBound)")
    }
    return number
  }

  /// Returns the member `bytes`, which are hexadecimal digits.
  func bytes() throws(SequenceError) -> [UInt8] {
    let digits = Array(try text("bytes").utf8)
    guard digits.count.isMultiple(of: 2) else {
      throw .outOfRange("the value of bytes has an odd number of digits")
    }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = Self.value(digits[index]), let low = Self.value(digits[index + 1]) else {
        throw .outOfRange("the value of bytes contains a character that is not a hexadecimal digit")
      }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
