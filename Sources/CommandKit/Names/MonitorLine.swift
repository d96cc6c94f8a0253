// SPDX-License-Identifier: Apache-2.0
package import JSONText
package import MIDIMessages
package import MusicalTime
internal import PlayerControl

/// A received event as a line of text or JSON.
package struct MonitorLine {
  /// The header of the text lines, as in aseqdump.
  package static let head = "        Time  Source  Event                  Ch  Data"

  package let event: HostEvent
  package let payloads: ContiguousArray<UInt8>
  /// The name of the sender.
  package let source: String
  /// The time from which seconds are counted.
  package let origin: HostTime
  package let keys: KeyWords

  /// Creates a line.
  package init(
    event: HostEvent, payloads: ContiguousArray<UInt8>, source: String, origin: HostTime,
    keys: KeyWords
  ) {
    self.event = event
    self.payloads = payloads
    self.source = source
    self.origin = origin
    self.keys = keys
  }

  /// The seconds since the origin with six decimals, rounded down.
  private var seconds: String {
    let nanoseconds = max(0, event.time.nanoseconds(since: origin))
    let fraction = String(nanoseconds / 1000 % 1_000_000)
    return "\(nanoseconds / 1_000_000_000)."
      + String(repeating: "0", count: 6 - fraction.count) + fraction
  }

  private var sysEx: [UInt8]? {
    guard case .sysEx(let place) = event.payload else { return nil }
    let start = Int(place.offset)
    return [0xF0] + payloads[start..<start + Int(place.count)] + [0xF7]
  }

  /// The line of text; nil if the event is not MIDI.
  package var text: String? {
    let front = "\(padded(seconds, 12, atFront: true))  \(address)"
    if let sysEx {
      let bytes = sysEx.map(Self.hex).joined(separator: " ")
      return "\(front)  \(padded("System exclusive", 22))     \(bytes)"
    }
    guard case .message(let message) = event.payload else { return nil }
    let words = MessageWords(message, keys: keys)
    let channel = words.channel.map { "\($0.number)," } ?? ""
    let line = "\(front)  \(padded(words.name, 22)) \(padded(channel, 3, atFront: true)) "
    return trimmed(line + words.text)
  }

  /// The JSON document; nil if the event is not MIDI.
  package var json: JSONValue? {
    var members: [(name: String, value: JSONValue)] = [("v", 1)]
    let place: [(name: String, value: JSONValue)] = [
      ("host", .integer(Int(event.time.nanoseconds))), ("seconds", .decimal(seconds)),
      ("source", .text(source)),
    ]
    if let sysEx {
      members.append(("type", "sysex"))
      return .object(members + place + [Self.bytes(sysEx)])
    }
    guard case .message(let message) = event.payload else { return nil }
    let words = MessageWords(message)
    members.append(("type", .text(words.name.lowercased())))
    members += place
    if let channel = words.channel {
      members.append(("channel", .integer(Int(channel.index))))
    }
    members += words.values.map { ($0.name, .integer($0.value)) }
    let bytes = [message.status, message.data1, message.data2].prefix(message.length)
    return .object(members + [Self.bytes(Array(bytes))])
  }

  private static func bytes(_ bytes: [UInt8]) -> (name: String, value: JSONValue) {
    ("bytes", .array(bytes.map { .integer(Int($0)) }))
  }

  /// The two hexadecimal digits of a byte.
  package static func hex(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }

  private var address: String {
    let numbers = source.split(separator: ":")
    guard numbers.count == 2, numbers.allSatisfy({ UInt8($0) != nil }) else {
      return padded(source, 7)
    }
    return padded("\(numbers[0])", 3, atFront: true) + ":" + padded("\(numbers[1])", 3)
  }

  private func trimmed(_ line: String) -> String {
    String(line.reversed().drop { $0 == " " }.reversed())
  }

  private func padded(_ text: String, _ width: Int, atFront: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - text.utf8.count))
    return atFront ? space + text : text + space
  }
}
