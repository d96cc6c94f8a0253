// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import CoreAudioTypes

extension BeatEvent {
  /// Creates an event from a struct of the program.
  ///
  /// - Throws: `InvalidEventType` for an unknown type; `ParamError` for an invalid time or value.
  init(
    _ type: MusicEventType, _ data: UnsafeRawPointer?, at time: MusicTimeStamp
  ) throws(StatusError) {
    guard Self.canStand(at: time), let data = unsafe data else { throw .parameter }
    switch type {
    case kMusicEventType_MIDINoteMessage:
      self.init(time, type, unsafe try Self.note(data.loadUnaligned(as: MIDINoteMessage.self)))
    case kMusicEventType_MIDIChannelMessage:
      let message = unsafe data.loadUnaligned(as: MIDIChannelMessage.self)
      guard (0x80...0xEF).contains(message.status) else { throw .parameter }
      self.init(time, type, message)
    case kMusicEventType_ExtendedTempo:
      let tempo = unsafe data.loadUnaligned(as: ExtendedTempoEvent.self)
      guard (1e-3...1e9).contains(tempo.bpm) else { throw .parameter }
      self.init(time, type, tempo)
    case kMusicEventType_AUPreset:
      self.init(time, type, nil)
      payload = unsafe Self.preset(data)
    default:
      let size = unsafe try Self.size(of: type, data)
      let bytes = unsafe UnsafeRawBufferPointer(start: data, count: size)
      self.init(time, type, unsafe EventPayload(copying: bytes))
    }
  }

  private static func note(_ note: MIDINoteMessage) throws(StatusError) -> MIDINoteMessage {
    guard note.channel < 16, note.note < 128, note.velocity < 128, note.releaseVelocity < 128,
      note.duration >= 0, note.duration.isFinite
    else { throw .parameter }
    return note
  }

  /// The size in bytes of a struct that does not fit into eight bytes.
  private static func size(
    of type: MusicEventType, _ data: UnsafeRawPointer
  ) throws(StatusError) -> Int {
    func word(_ offset: Int) -> UInt32 {
      unsafe data.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
    }
    switch type {
    case kMusicEventType_User, kMusicEventType_MIDIRawData:
      guard type == kMusicEventType_User || word(0) > 0 else { throw .parameter }
      return 4 + (try bounded(word(0)))
    case kMusicEventType_Meta:
      guard unsafe data.load(as: UInt8.self) < 0x80 else { throw .parameter }
      return 8 + (try bounded(word(4)))
    case kMusicEventType_Parameter: return 16
    case kMusicEventType_ExtendedNote:
      let duration = Float(bitPattern: word(8))
      let count = word(12)
      guard duration >= 0, duration.isFinite, (2...1026).contains(count) else { throw .parameter }
      return 24 + 8 * Int(count - 2)
    default: throw StatusError(kAudioToolboxErr_InvalidEventType)
    }
  }

  /// Checks the number of bytes: a MIDI file cannot hold longer events.
  private static func bounded(_ count: UInt32) throws(StatusError) -> Int {
    guard count < 0x0FFF_FF00 else { throw .parameter }
    return Int(count)
  }

  /// A preset; the event retains its property list.
  private static func preset(_ data: UnsafeRawPointer) -> EventPayload {
    let event = unsafe data.loadUnaligned(as: AUPresetEvent.self)
    let list = unsafe Unmanaged<AnyObject>.fromOpaque(event.preset).takeUnretainedValue()
    let bytes = unsafe UnsafeRawBufferPointer(
      start: data, count: MemoryLayout<AUPresetEvent>.size)
    return unsafe EventPayload(copying: bytes, object: list)
  }
}
