// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import JSONText
internal import MIDIMessages
internal import MusicSequences
internal import MusicalTime
internal import PlayerControl
internal import PlayerViews

/// Text for the user: aligned columns, channels 1–16, keys with their names.
struct TextForm: EventForm {
  static var showsTime: Bool { true }
  static var isText: Bool { true }
  private static let longestBytes = 24

  let events: FileEvents
  let keys: KeyWords
  let decoder: TextDecoder

  func begin(into out: inout [UInt8]) {
    out.append(contentsOf: "track          bar         time       tick  ch  event\n".utf8)
  }

  func append(
    _ event: FileEvent, _ kind: @autoclosure () -> EventKind, _ times: borrowing EventTimes,
    into out: inout [UInt8]
  ) {
    let kind = kind()
    Self.right(5, &out) { Digits.append(Int64(event.track) + 1, to: &$0) }
    let bar = times.bar
    Self.right(13, &out) { $0.append(contentsOf: bar) }
    let time = times.nanoseconds
    Self.right(13, &out) { Self.appendClock(time, to: &$0) }
    Self.right(11, &out) { Digits.append(event.tick.value, to: &$0) }
    Self.right(4, &out) { out in
      if let channel = event.channel { Digits.append(Int64(channel.number), to: &out) }
    }
    out.append(contentsOf: "  \(kind.rawValue)".utf8)
    let words = words(event, kind)
    if !words.isEmpty {
      out.append(contentsOf: repeatElement(0x20, count: max(1, 18 - kind.rawValue.utf8.count)))
      out.append(contentsOf: words.utf8)
    }
    out.append(UInt8(ascii: "\n"))
  }

  /// Appends the output of a closure, aligned to the right of a column.
  private static func right(_ width: Int, _ out: inout [UInt8], _ write: (inout [UInt8]) -> Void) {
    let start = out.count
    write(&out)
    let missing = width - (out.count - start)
    if missing > 0 { out.insert(contentsOf: repeatElement(0x20, count: missing), at: start) }
    if missing < 1, start > 0, out[start - 1] != 0x0A { out.insert(0x20, at: start) }
  }

  private static func appendClock(_ nanoseconds: Int64?, to out: inout [UInt8]) {
    guard let nanoseconds else { return out.append(UInt8(ascii: "-")) }
    let milliseconds = UInt64(max(0, nanoseconds)) / 1_000_000
    Digits.append(milliseconds / 60_000, atLeast: 1, to: &out)
    out.append(UInt8(ascii: ":"))
    Digits.append(milliseconds / 1000 % 60, atLeast: 2, to: &out)
    out.append(UInt8(ascii: "."))
    Digits.append(milliseconds % 1000, atLeast: 3, to: &out)
  }

  private func words(_ event: FileEvent, _ kind: EventKind) -> String {
    switch kind {
    case .noteOn, .noteOff, .polyPressure:
      "\(keys.text(Key(event.data1), on: event.channel)) \(event.data2)"
    case .control: "\(ControllerWords.text(Controller(event.data1))) = \(event.data2)"
    case .program:
      event.channel.map { ProgramWords.text(event.data1, on: $0) } ?? ""
    case .channelPressure: "\(event.data1)"
    case .pitchBend: "\(event.bend - 8192)"
    default: words(kind, of: Array(events.payload(of: event)), type: event.data1)
    }
  }

  private func words(_ kind: EventKind, of bytes: [UInt8], type: UInt8) -> String {
    switch kind {
    case .tempo: MetaEvent(type: type, bytes: bytes).tempo.map(Self.tempoWords) ?? "0"
    case .timeSignature:
      "\(bytes[0])/\(bytes[1] < 31 ? String(1 << Int(bytes[1])) : "2^\(bytes[1])")"
    case .keySignature: Self.keyWords(Int8(bitPattern: bytes[0]), isMinor: bytes[1] == 1)
    case .sequenceNumber: "\(Int(bytes[0]) << 8 | Int(bytes[1]))"
    case .channelPrefix: "\(Int(bytes[0]) + 1)"
    case .port: "\(Int(bytes[0]) + 1)"
    case .smpteOffset: bytes.map { "\($0)" }.joined(separator: " ")
    case .endOfTrack: ""
    case .unknownMeta: "\(type): \(Self.byteWords(bytes))"
    case _ where kind.isText: "\"\(Printable.dotted(decoder.text(bytes)))\""
    default: Self.byteWords(bytes)
    }
  }

  private static func tempoWords(_ tempo: Tempo) -> String {
    "\(tempo.beatsPerMinute.decimal(3)) bpm, \(tempo.tenNanosecondsPerQuarter / 100) µs"
  }

  private static func keyWords(_ sharps: Int8, isMinor: Bool) -> String {
    let majors = [
      "Cb", "Gb", "Db", "Ab", "Eb", "Bb", "F", "C", "G", "D", "A", "E", "B", "F#", "C#", "G#",
      "D#", "A#",
    ]
    guard (-7...7).contains(sharps) else { return "\(sharps) sharps" }
    let index = Int(sharps) + 7 + (isMinor ? 3 : 0)
    return "\(majors[index]) \(isMinor ? "minor" : "major")"
  }

  private static func byteWords(_ bytes: [UInt8]) -> String {
    var out: [UInt8] = []
    for (index, byte) in bytes.prefix(longestBytes).enumerated() {
      if index > 0 { out.append(0x20) }
      Digits.append(hexadecimal: [byte], to: &out)
    }
    let more = bytes.count > longestBytes ? " … (\(bytes.count) bytes)" : ""
    return String(decoding: out, as: UTF8.self) + more
  }
}
