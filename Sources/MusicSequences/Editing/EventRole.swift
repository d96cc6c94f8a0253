// SPDX-License-Identifier: Apache-2.0
import MusicalTime

/// The setting that an event changes.
///
/// A later event of the same role replaces it.
enum EventRole: Hashable {
  /// A program, controller, bend or pressure: the status, and the number of the controller or key.
  case message(UInt8, UInt8)
  /// A meta event: its type.
  case meta(UInt8)
  /// A parameter of an audio unit: the bytes of its parameter, scope and element.
  case parameter([UInt8])
  /// A user event.
  case user
}

extension MusicTrack {
  /// The role of an event that holds until the next event of the same role.
  ///
  /// Nil for notes, note-offs, events that set a device up, and events without a meaning.
  func role(of record: EventRecord) -> EventRole? {
    switch record.status {
    case 0xA0...0xBF: return .message(record.status, record.data1)
    case 0xC0...0xEF: return .message(record.status, 0)
    case EventRecord.parameter: return .parameter(Array(payloads.payload(of: record).prefix(12)))
    case EventRecord.user: return .user
    case EventRecord.meta: return metaRole(of: record)
    default: return nil
    }
  }

  private func metaRole(of record: EventRecord) -> EventRole? {
    let bytes = payloads.payload(of: record)
    switch record.data1 {
    case 0x51: return bytes.count == 3 && bytes.contains { $0 != 0 } ? .meta(0x51) : nil
    case 0x58: return TimeSignature(metaBytes: Array(bytes)) != nil ? .meta(0x58) : nil
    case 0x01, 0x05...0x07, 0x59: return .meta(record.data1)
    default: return nil
    }
  }

  /// True if the event affects later events, such as a controller, SysEx or a tempo.
  ///
  /// False for notes, and for texts that are shown at their own time.
  func isSetup(_ record: EventRecord) -> Bool {
    switch record.status {
    case 0xB0...0xEF, EventRecord.sysEx, EventRecord.packet, EventRecord.parameter: true
    case EventRecord.meta: record.data1 != 0x01 && !(0x05...0x07).contains(record.data1)
    default: false
    }
  }
}

extension EventRecord {
  /// True if the event depends on the events around it, so that none of them can be left out: banks
  /// and programs, registered parameters and their data, resets, SysEx, ports.
  var belongsToSuite: Bool {
    switch status {
    case Self.sysEx, Self.packet, 0xC0...0xCF: true
    case Self.meta: data1 == 0x09 || data1 == 0x21
    case 0xB0...0xBF: [0, 6, 32, 38, 121].contains(data1) || (96...101).contains(data1)
    default: false
    }
  }
}
