// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioTypes

/// An event of a track in Core Audio's form: a time in beats, a type, and the struct of the type.
struct BeatEvent: Sendable {
  /// Beats from the start of the track, 0…10⁹.
  var time: MusicTimeStamp
  /// A number that increases with each event that is added: it orders events at the same time.
  var serial: UInt32
  private var typeCode: UInt16
  /// For a note of a file, the number of events at its end that precede its note-off.
  var eventsBeforeRelease: UInt16 = 0
  /// The struct, if it fits into eight bytes.
  var body: UInt64
  /// The struct, if it does not fit into eight bytes.
  var payload: EventPayload?

  init(_ time: MusicTimeStamp, _ type: MusicEventType, body: UInt64 = 0, _ payload: EventPayload?) {
    self.time = time
    serial = 0
    typeCode = UInt16(clamping: type)
    self.body = body
    self.payload = payload
  }

  /// Creates an event whose struct fits into eight bytes.
  init<Struct: BitwiseCopyable>(_ time: MusicTimeStamp, _ type: MusicEventType, _ value: Struct) {
    var body: UInt64 = 0
    unsafe withUnsafeMutableBytes(of: &body) { bytes in
      unsafe bytes.storeBytes(of: value, as: Struct.self)
    }
    self.init(time, type, body: body, nil)
  }

  var type: MusicEventType { MusicEventType(typeCode) }

  /// Reads the first bytes of the struct as a value.
  func value<Struct: BitwiseCopyable>(as type: Struct.Type) -> Struct {
    if let payload { return payload.value(as: type) }
    return unsafe withUnsafeBytes(of: body) { unsafe $0.load(as: type) }
  }

  /// The position among the events of a track.
  var key: EventKey { EventKey(time: time, serial: serial) }

  /// The time of the end: a note ends after its duration, another event at its time.
  var end: MusicTimeStamp {
    switch type {
    case kMusicEventType_MIDINoteMessage: time + Double(value(as: MIDINoteMessage.self).duration)
    case kMusicEventType_ExtendedNote: time + Double(value(as: ExtendedNoteOnEvent.self).duration)
    default: time
    }
  }

  /// The size of the struct in bytes.
  var size: Int {
    if let payload { return payload.count }
    return type == kMusicEventType_MIDIChannelMessage ? 4 : 8
  }
}

/// The position of an event in its track, which is unique.
struct EventKey: Comparable, Hashable {
  var time: MusicTimeStamp
  var serial: UInt32

  static func < (left: EventKey, right: EventKey) -> Bool {
    left.time < right.time || left.time == right.time && left.serial < right.serial
  }

  /// The position before all events at a time.
  static func start(of time: MusicTimeStamp) -> EventKey { EventKey(time: time, serial: 0) }
}
