// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import JSONText
internal import MusicSequences
internal import MusicalTime
internal import PlayerControl
internal import PlayerViews

/// JSON Lines: a header, then one document for each event.
///
/// Tracks and channels count from 0. If the bytes of a text are not the UTF-8 of its characters,
/// its encoding and its bytes as hexadecimal digits are added. An event without specific members is
/// written as bytes, so that nothing is lost.
struct JSONForm: EventForm {
  static var showsTime: Bool { true }
  static var isText: Bool { false }
  let events: FileEvents
  let decoder: TextDecoder

  func begin(into out: inout [UInt8]) {
    let division: JSONValue
    switch events.division {
    case .ppqn(let resolution): division = .object([("ppqn", .integer(Int(resolution.ticks)))])
    case .smpte(let rate, let ticks):
      division = .object([
        ("fps", .text("\(rate.framesPerSecond)")), ("ticksPerFrame", .integer(Int(ticks))),
      ])
    }
    let header: JSONValue = .object([
      ("v", 1), ("type", "header"), ("format", .integer(Int(events.format.rawValue))),
      ("tracks", .integer(events.tracks.count)), ("division", division),
    ])
    out.append(contentsOf: "\(header)\n".utf8)
  }

  func append(
    _ event: FileEvent, _ kind: @autoclosure () -> EventKind, _ times: borrowing EventTimes,
    into out: inout [UInt8]
  ) {
    let kind = kind()
    Self.append(#"{"v":1,"type":"event","track":"#, Int64(event.track), to: &out)
    Self.append(#","tick":"#, event.tick.value, to: &out)
    out.append(contentsOf: #","seconds":"#.utf8)
    if let nanoseconds = times.nanoseconds {
      Digits.append(secondsOf: nanoseconds, to: &out)
    } else {
      out.append(contentsOf: "null".utf8)
    }
    out.append(contentsOf: #","bar":""#.utf8)
    out.append(contentsOf: times.bar)
    out.append(contentsOf: #"","kind":""#.utf8)
    out.append(contentsOf: kind.rawValue.utf8)
    out.append(UInt8(ascii: "\""))
    if event.status < 0xF0 {
      appendMessage(event, kind, to: &out)
    } else {
      appendPayload(event, kind, to: &out)
    }
    out.append(contentsOf: "}\n".utf8)
  }

  private func appendMessage(_ event: FileEvent, _ kind: EventKind, to out: inout [UInt8]) {
    Self.append(#","channel":"#, Int64(event.status & 0x0F), to: &out)
    switch kind {
    case .noteOn, .noteOff:
      Self.append(#","key":"#, Int64(event.data1), to: &out)
      Self.append(#","velocity":"#, Int64(event.data2), to: &out)
    case .polyPressure:
      Self.append(#","key":"#, Int64(event.data1), to: &out)
      Self.append(#","pressure":"#, Int64(event.data2), to: &out)
    case .control:
      Self.append(#","controller":"#, Int64(event.data1), to: &out)
      Self.append(#","value":"#, Int64(event.data2), to: &out)
    case .program: Self.append(#","program":"#, Int64(event.data1), to: &out)
    case .channelPressure: Self.append(#","pressure":"#, Int64(event.data1), to: &out)
    default: Self.append(#","bend":"#, Int64(event.bend), to: &out)
    }
  }

  private func appendPayload(_ event: FileEvent, _ kind: EventKind, to out: inout [UInt8]) {
    let bytes = Array(events.payload(of: event))
    for (name, value) in members(event, kind, bytes) {
      out.append(contentsOf: ",\"\(name)\":\(value)".utf8)
    }
  }

  private func members(
    _ event: FileEvent, _ kind: EventKind, _ bytes: [UInt8]
  ) -> [(name: String, value: JSONValue)] {
    switch kind {
    case .tempo:
      let length = Int(bytes[0]) << 16 | Int(bytes[1]) << 8 | Int(bytes[2])
      let tempo = MetaEvent(type: 0x51, bytes: bytes).tempo
      let bpm = tempo.map { JSONValue.decimal($0.beatsPerMinute.decimal(6)) } ?? .null
      return [("microsecondsPerQuarter", .integer(length)), ("bpm", bpm)]
    case .timeSignature:
      return [
        ("numerator", .integer(Int(bytes[0]))), ("denominatorPower", .integer(Int(bytes[1]))),
        ("clocksPerClick", .integer(Int(bytes[2]))),
        ("thirtySecondsPerQuarter", .integer(Int(bytes[3]))),
      ]
    case .keySignature where bytes[1] < 2:
      return [
        ("sharps", .integer(Int(Int8(bitPattern: bytes[0])))), ("minor", .bool(bytes[1] == 1)),
      ]
    case .sequenceNumber: return [("number", .integer(Int(bytes[0]) << 8 | Int(bytes[1])))]
    case .channelPrefix: return [("channel", .integer(Int(bytes[0])))]
    case .port: return [("port", .integer(Int(bytes[0])))]
    case .endOfTrack: return []
    case .unknownMeta: return [("metaType", .integer(Int(event.data1))), Self.hex(bytes)]
    case _ where kind.isText: return text(bytes)
    default: return [Self.hex(bytes)]
    }
  }

  private func text(_ bytes: [UInt8]) -> [(name: String, value: JSONValue)] {
    let text = decoder.text(bytes)
    guard !text.utf8.elementsEqual(bytes) else { return [("text", .text(text))] }
    let encoding = decoder.encoding(of: bytes)
    let isGuessed = decoder.isGuessed && encoding == decoder.encoding
    return [
      ("text", .text(text)), ("encoding", .text(encoding)), ("guessed", .bool(isGuessed)),
      Self.hex(bytes),
    ]
  }

  private static func hex(_ bytes: [UInt8]) -> (name: String, value: JSONValue) {
    var out: [UInt8] = []
    Digits.append(hexadecimal: bytes, to: &out)
    return ("bytes", .text(String(decoding: out, as: UTF8.self)))
  }

  @inline(__always)
  private static func append(_ name: StaticString, _ value: Int64, to out: inout [UInt8]) {
    unsafe out.append(
      contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    Digits.append(value, to: &out)
  }
}
