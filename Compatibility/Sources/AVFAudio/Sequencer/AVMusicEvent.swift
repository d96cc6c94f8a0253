// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
internal import CoreAudio
public import Foundation

/// The base class of the events of a music track.
open class AVMusicEvent: NSObject {
  override init() {
    super.init()
  }

  /// Adds the event to a track.
  @unsafe
  func add(to track: MusicTrack, at beat: Double) {}

  /// The event of a type and bytes of MusicPlayer.h; a plain object for other types.
  @unsafe
  static func make(_ type: MusicEventType, _ bytes: UnsafeRawBufferPointer) -> AVMusicEvent {
    switch type {
    case kMusicEventType_MIDINoteMessage where bytes.count >= 8:
      return unsafe AVMIDINoteEvent(bytes.loadUnaligned(as: MIDINoteMessage.self))
    case kMusicEventType_MIDIChannelMessage where bytes.count >= 4:
      return unsafe AVMIDIChannelEvent.make(bytes.loadUnaligned(as: MIDIChannelMessage.self))
    case kMusicEventType_ExtendedTempo where bytes.count >= 8:
      return unsafe AVExtendedTempoEvent(tempo: bytes.loadUnaligned(as: Double.self))
    case kMusicEventType_MIDIRawData:
      return AVMIDISysexEvent(data: unsafe tail(bytes, lengthAt: 0))
    case kMusicEventType_User: return AVMusicUserEvent(data: unsafe tail(bytes, lengthAt: 0))
    case kMusicEventType_Meta where bytes.count >= 8:
      let type = AVMIDIMetaEvent.EventType(rawValue: Int(unsafe bytes[0]))
      return AVMIDIMetaEvent(type: type, data: unsafe tail(bytes, lengthAt: 4))
    default: return AVMusicEvent()
    }
  }

  /// The bytes behind a length.
  @unsafe
  private static func tail(_ bytes: UnsafeRawBufferPointer, lengthAt offset: Int) -> Data {
    guard bytes.count >= offset + 4 else { return Data() }
    let length = unsafe Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    let end = min(bytes.count, offset + 4 + length)
    return unsafe Data(bytes[(offset + 4)..<end])
  }
}

/// A note event: a key, a velocity and a duration.
open class AVMIDINoteEvent: AVMusicEvent {
  /// The MIDI channel, 0…15.
  open var channel: UInt32
  /// The key, 0…127.
  open var key: UInt32
  /// The velocity, 0…127.
  open var velocity: UInt32
  /// The duration of the note in beats.
  open var duration: AVMusicTimeStamp

  /// Creates a note event.
  ///
  /// - Parameters:
  ///   - channel: The MIDI channel, 0…15.
  ///   - keyNum: The key, 0…127.
  ///   - velocity: The velocity, 0…127.
  ///   - duration: The duration of the note in beats.
  public init(
    channel: UInt32, key keyNum: UInt32, velocity: UInt32, duration: AVMusicTimeStamp
  ) {
    (self.channel, key, self.velocity, self.duration) = (channel, keyNum, velocity, duration)
    super.init()
  }

  convenience init(_ message: MIDINoteMessage) {
    self.init(
      channel: UInt32(message.channel), key: UInt32(message.note),
      velocity: UInt32(message.velocity), duration: Double(message.duration))
  }

  @unsafe
  override func add(to track: MusicTrack, at beat: Double) {
    var message = MIDINoteMessage(
      channel: UInt8(clamping: channel), note: UInt8(clamping: key),
      velocity: UInt8(clamping: velocity), releaseVelocity: 0, duration: Float(duration))
    unsafe MusicTrackNewMIDINoteEvent(track, beat, &message)
  }
}

/// A tempo event.
open class AVExtendedTempoEvent: AVMusicEvent {
  /// The tempo in beats per minute.
  open var tempo: Double

  /// Creates a tempo event.
  ///
  /// - Parameter tempo: The tempo in beats per minute.
  public init(tempo: Double) {
    self.tempo = tempo
    super.init()
  }

  @unsafe
  override func add(to track: MusicTrack, at beat: Double) {
    unsafe MusicTrackNewExtendedTempoEvent(track, beat, tempo)
  }
}

/// A SysEx event.
open class AVMIDISysexEvent: AVMusicEvent {
  let data: Data

  /// Creates a SysEx event.
  ///
  /// - Parameter data: The bytes of the message, including F0 and F7.
  public init(data: Data) {
    self.data = data
    super.init()
  }

  /// The number of bytes in the message.
  open var sizeInBytes: UInt32 { UInt32(clamping: data.count) }

  @unsafe
  override func add(to track: MusicTrack, at beat: Double) {
    unsafe EventBytes.withBytes([], data) { bytes in
      unsafe MusicTrackNewMIDIRawDataEvent(
        track, beat, bytes.assumingMemoryBound(to: MIDIRawData.self))
    }
  }
}

/// An event with custom data, which is passed to the sequencer's user callback.
open class AVMusicUserEvent: AVMusicEvent {
  let data: Data

  /// Creates a user event.
  ///
  /// - Parameter data: The bytes.
  public init(data: Data) {
    self.data = data
    super.init()
  }

  /// The number of bytes of custom data.
  open var sizeInBytes: UInt32 { UInt32(clamping: data.count) }

  @unsafe
  override func add(to track: MusicTrack, at beat: Double) {
    unsafe EventBytes.withBytes([], data) { bytes in
      unsafe MusicTrackNewUserEvent(
        track, beat, bytes.assumingMemoryBound(to: MusicEventUserData.self))
    }
  }
}

/// A meta event, as in MIDI files.
open class AVMIDIMetaEvent: AVMusicEvent {
  /// The type of a meta event.
  public struct EventType: RawRepresentable, Hashable, Sendable {
    /// The number of the type in MIDI files, 0…127.
    public let rawValue: Int

    /// Creates a type from its number.
    ///
    /// - Parameter rawValue: The number of the type in MIDI files, 0…127.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// The number of the sequence.
    public static let sequenceNumber = EventType(rawValue: 0)
    /// A text.
    public static let text = EventType(rawValue: 1)
    /// A copyright notice.
    public static let copyright = EventType(rawValue: 2)
    /// The name of a track.
    public static let trackName = EventType(rawValue: 3)
    /// The name of an instrument.
    public static let instrument = EventType(rawValue: 4)
    /// A syllable or line of lyrics.
    public static let lyric = EventType(rawValue: 5)
    /// A marker.
    public static let marker = EventType(rawValue: 6)
    /// A cue point.
    public static let cuePoint = EventType(rawValue: 7)
    /// The MIDI channel of the meta events that follow.
    public static let midiChannel = EventType(rawValue: 0x20)
    /// The MIDI port of the track.
    public static let midiPort = EventType(rawValue: 0x21)
    /// The end of a track.
    public static let endOfTrack = EventType(rawValue: 0x2F)
    /// A tempo.
    public static let tempo = EventType(rawValue: 0x51)
    /// The SMPTE time code at which the track starts.
    public static let smpteOffset = EventType(rawValue: 0x54)
    /// A time signature.
    public static let timeSignature = EventType(rawValue: 0x58)
    /// A key signature.
    public static let keySignature = EventType(rawValue: 0x59)
    /// Data that is specific to a sequencer.
    public static let proprietaryEvent = EventType(rawValue: 0x7F)
  }

  /// The type of the event.
  public let type: EventType
  let data: Data

  /// Creates a meta event.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - data: The bytes after the type and length of the event.
  public init(type: EventType, data: Data) {
    (self.type, self.data) = (type, data)
    super.init()
  }

  @unsafe
  override func add(to track: MusicTrack, at beat: Double) {
    guard let number = UInt8(exactly: type.rawValue) else { return }
    unsafe EventBytes.withBytes([number, 0, 0, 0], data) { bytes in
      unsafe MusicTrackNewMetaEvent(
        track, beat, bytes.assumingMemoryBound(to: MIDIMetaEvent.self))
    }
  }
}

/// Events of any number of bytes as structs of C.
private enum EventBytes {
  /// Calls a body with a head, the number of bytes and the bytes.
  @unsafe
  static func withBytes(
    _ head: [UInt8], _ data: Data, _ body: (UnsafeRawPointer) -> OSStatus
  ) {
    let length = UInt32(clamping: data.count)
    var bytes = head
    unsafe withUnsafeBytes(of: length) { unsafe bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: data)
    // A struct of C has at least one byte and its padding.
    bytes.append(contentsOf: [0, 0, 0, 0])
    unsafe bytes.withUnsafeBytes { buffer in
      if let start = buffer.baseAddress { _ = unsafe body(start) }
    }
  }
}
