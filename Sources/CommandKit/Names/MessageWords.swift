// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import PlayerControl

/// A message in words: as a line of `monitor`, and as members of its JSON output.
struct MessageWords {
  let name: String
  let channel: Channel?
  /// The values of the message by name, in order.
  let values: [(name: String, value: Int)]

  /// The text of the first value; nil if the number is shown.
  private let named: String?

  init(_ message: Message, keys: KeyWords = KeyWords()) {
    channel = message.channel
    switch message.kind {
    case .program(let channel, let number): named = ProgramWords.text(number, on: channel)
    case .control(_, let controller, _): named = ControllerWords.text(controller)
    case .noteOn(let channel, let key, _), .noteOff(let channel, let key, _),
      .keyPressure(let channel, let key, _):
      named = keys.text(key, on: channel)
    default: named = nil
    }
    switch message.kind {
    case .noteOn(_, let key, let velocity):
      name = "Note on"
      values = [("note", Int(key.number)), ("velocity", Int(velocity))]
    case .noteOff(_, let key, _):
      name = "Note off"
      values = [("note", Int(key.number)), ("velocity", Int(message.data2))]
    case .keyPressure(_, let key, let value):
      name = "Polyphonic aftertouch"
      values = [("note", Int(key.number)), ("value", Int(value))]
    case .control(_, let controller, let value):
      name = "Control change"
      values = [("controller", Int(controller.number)), ("value", Int(value))]
    case .program(_, let number):
      name = "Program change"
      values = [("program", Int(number))]
    case .channelPressure(_, let value):
      name = "Channel aftertouch"
      values = [("value", Int(value))]
    case .bend(_, let value):
      name = "Pitch bend"
      values = [("value", Int(value) - 8192)]
    case .system(let status, let data1, let data2):
      (name, values) = Self.system(status, data1, data2)
    }
  }

  private static func system(
    _ status: UInt8, _ data1: UInt8, _ data2: UInt8
  ) -> (String, [(name: String, value: Int)]) {
    switch status {
    case 0xF1: ("MTC quarter frame", [("value", Int(data1))])
    case 0xF2: ("Song position pointer", [("value", Int(data1) | Int(data2) << 7)])
    case 0xF3: ("Song select", [("value", Int(data1))])
    case 0xF6: ("Tune request", [])
    case 0xF8: ("Clock", [])
    case 0xFA: ("Start", [])
    case 0xFB: ("Continue", [])
    case 0xFC: ("Stop", [])
    case 0xFE: ("Active sensing", [])
    case 0xFF: ("Reset", [])
    default: ("Status \(status)", [])
    }
  }

  /// The values as text: `note C4 (60), velocity 100`; a program is counted from 1 and followed by
  /// its name.
  var text: String {
    values.enumerated().map { place, value in
      "\(value.name) \(place == 0 ? named ?? "\(value.value)" : "\(value.value)")"
    }.joined(separator: ", ")
  }
}
