// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioTypes

/// An event of a track as Core Audio has it: a time in beats, a type, and the struct of the type.
struct BeatEvent: Sendable {
  /// Beats from the start of the track, at or above 0.
  var time: MusicTimeStamp
  /// Grows with each event that a track is given: events of one time are in its order.
  var serial: UInt32
  private var typeCode: UInt16
  /// For a note of a file, how many events of the track at its end come before its note-off.
  var eventsBeforeRelease: UInt16 = 0
  /// The struct, where it fits.
  var body: UInt64
  /// The struct, where it does not.
  var payload: EventPayload?

  init(_ time: MusicTimeStamp, _ type: MusicEventType, body: UInt64 = 0, _ payload: EventPayload?) {
    self.time = time
    serial = 0
    typeCode = UInt16(clamping: type)
    self.body = body
    self.payload = payload
  }

  /// An event whose struct fits into eight bytes.
  init<Struct: BitwiseCopyable>(_ time: MusicTimeStamp, _ type: MusicEventType, _ value: Struct) {
    var body: UInt64 = 0
    unsafe withUnsafeMutableBytes(of: &body) { bytes in
      unsafe bytes.storeBytes(of: value, as: Struct.self)
    }
    self.init(time, type, body: body, nil)
  }

  var type: MusicEventType { MusicEventType(typeCode) }

  /// The first bytes of the struct.
  func value<Struct: BitwiseCopyable>(as type: Struct.Type) -> Struct {
    if let payload { return payload.value(as: type) }
    return unsafe withUnsafeBytes(of: body) { unsafe $0.load(as: type) }
  }

  /// Where it stands among the events of a track.
  var key: EventKey { EventKey(time: time, serial: serial) }

  /// When it ends: a note after its duration, anything else where it begins.
  var end: MusicTimeStamp {
    switch type {
    case kMusicEventType_MIDINoteMessage: time + Double(value(as: MIDINoteMessage.self).duration)
    case kMusicEventType_ExtendedNote: time + Double(value(as: ExtendedNoteOnEvent.self).duration)
    default: time
    }
  }

  /// The number of bytes of the struct.
  var size: Int {
    if let payload { return payload.count }
    return type == kMusicEventType_MIDIChannelMessage ? 4 : 8
  }
}

/// Where an event stands among those of its track; no two stand at one place.
struct EventKey: Comparable, Hashable {
  var time: MusicTimeStamp
  var serial: UInt32

  static func < (left: EventKey, right: EventKey) -> Bool {
    left.time < right.time || left.time == right.time && left.serial < right.serial
  }

  /// Before all events of a time.
  static func start(of time: MusicTimeStamp) -> EventKey { EventKey(time: time, serial: 0) }
}
