// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
internal import CoreAudio

/// The base class of the events for MIDI channel messages.
open class AVMIDIChannelEvent: AVMusicEvent {
  /// The MIDI channel, 0…15.
  open var channel: UInt32

  init(_ channel: UInt32) {
    self.channel = channel
    super.init()
  }

  /// The upper half of the status byte and the data bytes.
  var parts: (status: UInt8, data1: UInt32, data2: UInt32)? { nil }

  @unsafe
  override func add(to track: MusicTrack, at beat: Double) {
    guard let parts, channel < 16, parts.data1 < 128, parts.data2 < 128 else { return }
    var message = MIDIChannelMessage(
      status: parts.status | UInt8(channel), data1: UInt8(parts.data1), data2: UInt8(parts.data2),
      reserved: 0)
    unsafe MusicTrackNewMIDIChannelEvent(track, beat, &message)
  }

  /// The event of a message.
  static func make(_ message: MIDIChannelMessage) -> AVMIDIChannelEvent {
    let channel = UInt32(message.status & 0xF)
    let (one, two) = (UInt32(message.data1), UInt32(message.data2))
    switch message.status & 0xF0 {
    case 0xA0: return AVMIDIPolyPressureEvent(channel: channel, key: one, pressure: two)
    case 0xB0:
      return AVMIDIControlChangeEvent(
        channel: channel, messageType: .init(rawValue: Int(one)), value: two)
    case 0xC0: return AVMIDIProgramChangeEvent(channel: channel, programNumber: one)
    case 0xD0: return AVMIDIChannelPressureEvent(channel: channel, pressure: one)
    case 0xE0: return AVMIDIPitchBendEvent(channel: channel, value: one | two << 7)
    default: return AVMIDIChannelEvent(channel)
    }
  }
}

/// A control change event.
open class AVMIDIControlChangeEvent: AVMIDIChannelEvent {
  /// The controller of a control change event.
  public struct MessageType: RawRepresentable, Hashable, Sendable {
    /// The number of the controller, 0…127.
    public let rawValue: Int

    /// Creates a value from the number of a controller.
    ///
    /// - Parameter rawValue: The number, 0…127.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Bank select (controller 0).
    public static let bankSelect = MessageType(rawValue: 0)
    /// The modulation wheel (controller 1).
    public static let modWheel = MessageType(rawValue: 1)
    /// The breath controller (controller 2).
    public static let breath = MessageType(rawValue: 2)
    /// The foot controller (controller 4).
    public static let foot = MessageType(rawValue: 4)
    /// The portamento time (controller 5).
    public static let portamentoTime = MessageType(rawValue: 5)
    /// Data entry for registered and non-registered parameters (controller 6).
    public static let dataEntry = MessageType(rawValue: 6)
    /// The channel volume (controller 7).
    public static let volume = MessageType(rawValue: 7)
    /// The balance (controller 8).
    public static let balance = MessageType(rawValue: 8)
    /// The pan (controller 10).
    public static let pan = MessageType(rawValue: 10)
    /// The expression (controller 11).
    public static let expression = MessageType(rawValue: 11)
    /// The sustain pedal (controller 64).
    public static let sustain = MessageType(rawValue: 64)
    /// The portamento switch (controller 65).
    public static let portamento = MessageType(rawValue: 65)
    /// The sostenuto pedal (controller 66).
    public static let sostenuto = MessageType(rawValue: 66)
    /// The soft pedal (controller 67).
    public static let soft = MessageType(rawValue: 67)
    /// The legato pedal (controller 68).
    public static let legatoPedal = MessageType(rawValue: 68)
    /// The second hold pedal (controller 69).
    public static let hold2Pedal = MessageType(rawValue: 69)
    /// The filter resonance (controller 71).
    public static let filterResonance = MessageType(rawValue: 71)
    /// The release time (controller 72).
    public static let releaseTime = MessageType(rawValue: 72)
    /// The attack time (controller 73).
    public static let attackTime = MessageType(rawValue: 73)
    /// The brightness (controller 74).
    public static let brightness = MessageType(rawValue: 74)
    /// The decay time (controller 75).
    public static let decayTime = MessageType(rawValue: 75)
    /// The vibrato rate (controller 76).
    public static let vibratoRate = MessageType(rawValue: 76)
    /// The vibrato depth (controller 77).
    public static let vibratoDepth = MessageType(rawValue: 77)
    /// The vibrato delay (controller 78).
    public static let vibratoDelay = MessageType(rawValue: 78)
    /// The reverb level (controller 91).
    public static let reverbLevel = MessageType(rawValue: 91)
    /// The chorus level (controller 93).
    public static let chorusLevel = MessageType(rawValue: 93)
    /// The lower 7 bits of a registered parameter number (controller 100).
    public static let rpnLSB = MessageType(rawValue: 100)
    /// The upper 7 bits of a registered parameter number (controller 101).
    public static let rpnMSB = MessageType(rawValue: 101)
    /// Silences all notes immediately (controller 120).
    public static let allSoundOff = MessageType(rawValue: 120)
    /// Resets all controllers of the channel (controller 121).
    public static let resetAllControllers = MessageType(rawValue: 121)
    /// Releases all notes of the channel (controller 123).
    public static let allNotesOff = MessageType(rawValue: 123)
    /// Turns omni mode off (controller 124).
    public static let omniModeOff = MessageType(rawValue: 124)
    /// Turns omni mode on (controller 125).
    public static let omniModeOn = MessageType(rawValue: 125)
    /// Turns mono mode on (controller 126).
    public static let monoModeOn = MessageType(rawValue: 126)
    /// Turns poly mode on (controller 127).
    public static let polyModeOn = MessageType(rawValue: 127)
  }

  /// The controller.
  public let messageType: MessageType
  /// The value of the controller, 0…127.
  public let value: UInt32

  /// Creates a control change event.
  ///
  /// - Parameters:
  ///   - channel: The MIDI channel, 0…15.
  ///   - messageType: The controller.
  ///   - value: The value, 0…127.
  public init(channel: UInt32, messageType: MessageType, value: UInt32) {
    (self.messageType, self.value) = (messageType, value)
    super.init(channel)
  }

  override var parts: (status: UInt8, data1: UInt32, data2: UInt32)? {
    UInt32(exactly: messageType.rawValue).map { (0xB0, $0, value) }
  }
}

/// A polyphonic pressure event: the pressure of one key after it is struck.
open class AVMIDIPolyPressureEvent: AVMIDIChannelEvent {
  /// The key, 0…127.
  open var key: UInt32
  /// The pressure, 0…127.
  open var pressure: UInt32

  /// Creates a polyphonic pressure event.
  ///
  /// - Parameters:
  ///   - channel: The MIDI channel, 0…15.
  ///   - key: The key, 0…127.
  ///   - pressure: The pressure, 0…127.
  public init(channel: UInt32, key: UInt32, pressure: UInt32) {
    (self.key, self.pressure) = (key, pressure)
    super.init(channel)
  }

  override var parts: (status: UInt8, data1: UInt32, data2: UInt32)? { (0xA0, key, pressure) }
}

/// A program change event.
open class AVMIDIProgramChangeEvent: AVMIDIChannelEvent {
  /// The program, 0…127.
  open var programNumber: UInt32

  /// Creates a program change event.
  ///
  /// - Parameters:
  ///   - channel: The MIDI channel, 0…15.
  ///   - programNumber: The program, 0…127.
  public init(channel: UInt32, programNumber: UInt32) {
    self.programNumber = programNumber
    super.init(channel)
  }

  override var parts: (status: UInt8, data1: UInt32, data2: UInt32)? { (0xC0, programNumber, 0) }
}

/// A channel pressure event: the pressure that applies to all keys of a channel.
open class AVMIDIChannelPressureEvent: AVMIDIChannelEvent {
  /// The pressure, 0…127.
  open var pressure: UInt32

  /// Creates a channel pressure event.
  ///
  /// - Parameters:
  ///   - channel: The MIDI channel, 0…15.
  ///   - pressure: The pressure, 0…127.
  public init(channel: UInt32, pressure: UInt32) {
    self.pressure = pressure
    super.init(channel)
  }

  override var parts: (status: UInt8, data1: UInt32, data2: UInt32)? { (0xD0, pressure, 0) }
}

/// A pitch bend event.
open class AVMIDIPitchBendEvent: AVMIDIChannelEvent {
  /// The position of the pitch wheel, 0…16,383; 8192 is the centre.
  open var value: UInt32

  /// Creates a pitch bend event.
  ///
  /// - Parameters:
  ///   - channel: The MIDI channel, 0…15.
  ///   - value: The position of the pitch wheel, 0…16,383; 8192 is the centre.
  public init(channel: UInt32, value: UInt32) {
    self.value = value
    super.init(channel)
  }

  override var parts: (status: UInt8, data1: UInt32, data2: UInt32)? {
    let value = min(value, 16_383)
    return (0xE0, value & 127, value >> 7)
  }
}
