// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicalTime

extension EventRole {
  /// True for a value that stays in force, false for a text or user event.
  var isValue: Bool {
    switch self {
    case .message, .parameter: true
    case .meta(let type): [0x51, 0x58, 0x59].contains(type)
    case .user: false
    }
  }

  /// The value in force before any event sets one, or nil if no standard defines it.
  ///
  /// Source: MIDI 1.0 Recommended Practice RP-015 (response to reset all controllers); General
  /// MIDI (RP-003) for volume and pan; Standard MIDI Files 1.0 (RP-001) for tempo and meter.
  var resetValue: TrackEvent.Content? {
    switch self {
    case .message(let status, let number): Self.resetMessage(status, number)
    case .meta(0x51): MetaEvent.tempo(.standard).map { .meta($0) }
    case .meta(0x58): .meta(.timeSignature(4, denominatorPower: 2))
    default: nil
    }
  }

  private static func resetMessage(_ status: UInt8, _ number: UInt8) -> TrackEvent.Content? {
    switch status & 0xF0 {
    case 0xA0: .message(Message(status: status, data1: number, data2: 0))
    case 0xB0:
      Controller(number).restValue.map {
        .message(Message(status: status, data1: number, data2: $0))
      }
    case 0xC0, 0xD0: .message(Message(status: status, data1: 0, data2: 0))
    case 0xE0: .message(Message(status: status, data1: 0, data2: 64))
    default: nil
    }
  }
}
