// SPDX-License-Identifier: Apache-2.0
internal import CALSA
internal import MIDIMessages

/// Converts messages to events of the ALSA sequencer, and back.
///
/// Only 7-bit controllers are sent, because drivers do not transmit 14-bit controller and parameter
/// events. Received ones are split into 7-bit controllers.
enum EventConversion {
  /// Returns the event for a message, without an address and a time; nil if its status cannot
  /// be sent.
  static func event(for message: Message) -> snd_seq_event_t? {
    guard let type = eventType(of: message) else { return nil }
    var event = unsafe snd_seq_event_t()
    unsafe event.type = UInt8(type.rawValue)
    switch message.status {
    case 0x80...0xAF:
      unsafe event.data.note = snd_seq_ev_note_t(
        channel: message.status & 0x0F, note: message.data1, velocity: message.data2,
        off_velocity: 0, duration: 0)
    case 0xB0...0xEF, 0xF1...0xF3:
      unsafe event.data.control = control(for: message)
    default:
      break
    }
    return unsafe event
  }

  /// Calls a body with each message of an event; never for an event that is not MIDI.
  static func forEachMessage(of event: snd_seq_event_t, _ body: (Message) -> Void) {
    let type = unsafe snd_seq_event_type(UInt32(event.type))
    if let status = statuses.first(where: { $0.type == type })?.status {
      unsafe body(message(status: status, event))
    } else {
      unsafe forEachControl(of: event, type, body)
    }
  }

  private static let statuses: [(status: UInt8, type: snd_seq_event_type)] = [
    (0x80, SND_SEQ_EVENT_NOTEOFF), (0x90, SND_SEQ_EVENT_NOTEON), (0xA0, SND_SEQ_EVENT_KEYPRESS),
    (0xB0, SND_SEQ_EVENT_CONTROLLER), (0xC0, SND_SEQ_EVENT_PGMCHANGE),
    (0xD0, SND_SEQ_EVENT_CHANPRESS), (0xE0, SND_SEQ_EVENT_PITCHBEND),
    (0xF1, SND_SEQ_EVENT_QFRAME), (0xF2, SND_SEQ_EVENT_SONGPOS), (0xF3, SND_SEQ_EVENT_SONGSEL),
    (0xF6, SND_SEQ_EVENT_TUNE_REQUEST), (0xF8, SND_SEQ_EVENT_CLOCK), (0xFA, SND_SEQ_EVENT_START),
    (0xFB, SND_SEQ_EVENT_CONTINUE), (0xFC, SND_SEQ_EVENT_STOP), (0xFE, SND_SEQ_EVENT_SENSING),
    (0xFF, SND_SEQ_EVENT_RESET),
  ]

  private static func eventType(of message: Message) -> snd_seq_event_type? {
    let status = message.channel == nil ? message.status : message.status & 0xF0
    return statuses.first { $0.status == status }?.type
  }

  private static func control(for message: Message) -> snd_seq_ev_ctrl_t {
    let pair = Int32(message.data1) | Int32(message.data2) << 7
    var control = snd_seq_ev_ctrl_t()
    if message.channel != nil { control.channel = message.status & 0x0F }
    switch message.status & 0xF0 {
    case 0xB0:
      control.param = UInt32(message.data1)
      control.value = Int32(message.data2)
    case 0xE0:
      control.value = pair - 8192
    default:
      control.value = message.status == 0xF2 ? pair : Int32(message.data1)
    }
    return control
  }

  private static func message(status: UInt8, _ event: snd_seq_event_t) -> Message {
    let note = unsafe event.data.note
    let control = unsafe event.data.control
    switch status {
    case 0x80, 0x90, 0xA0:
      return Message(
        status: status | note.channel & 0x0F, data1: note.note & 0x7F,
        data2: note.velocity & 0x7F)
    case 0xB0:
      return Message(
        status: status | control.channel & 0x0F, data1: low(Int32(bitPattern: control.param)),
        data2: low(control.value))
    case 0xC0, 0xD0:
      return Message(status: status | control.channel & 0x0F, data1: low(control.value))
    case 0xE0:
      return pair(status | control.channel & 0x0F, control.value &+ 8192)
    case 0xF2:
      return pair(status, control.value)
    case 0xF1, 0xF3:
      return Message(status: status, data1: low(control.value))
    default:
      return Message(status: status)
    }
  }

  private static func forEachControl(
    of event: snd_seq_event_t, _ type: snd_seq_event_type, _ body: (Message) -> Void
  ) {
    let control = unsafe event.data.control
    let status = 0xB0 | control.channel & 0x0F
    let (number, value) = (Int32(bitPattern: control.param), control.value)
    func send(_ controller: UInt8, _ value: UInt8) {
      body(Message(status: status, data1: controller, data2: value))
    }
    switch type {
    case SND_SEQ_EVENT_CONTROL14 where number < 32:
      send(low(number), high(value))
      send(low(number) + 32, low(value))
    case SND_SEQ_EVENT_CONTROL14:
      send(low(number), low(value))
    case SND_SEQ_EVENT_REGPARAM, SND_SEQ_EVENT_NONREGPARAM:
      let selector: UInt8 = type == SND_SEQ_EVENT_REGPARAM ? 101 : 99
      send(selector, high(number))
      send(selector - 1, low(number))
      send(6, high(value))
      send(38, low(value))
    default:
      break
    }
  }

  private static func pair(_ status: UInt8, _ value: Int32) -> Message {
    let held = min(max(value, 0), 16383)
    return Message(status: status, data1: low(held), data2: high(held))
  }

  private static func low(_ value: Int32) -> UInt8 { UInt8(value & 0x7F) }

  private static func high(_ value: Int32) -> UInt8 { UInt8((value >> 7) & 0x7F) }
}
