// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
internal import CoreAudio

/// A message of a channel.
open class AVMIDIChannelEvent: AVMusicEvent {
  /// The channel, 0…15.
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

/// A controller.
open class AVMIDIControlChangeEvent: AVMIDIChannelEvent {
  /// The number of a controller.
  public struct MessageType: RawRepresentable, Hashable, Sendable {
    /// The number, 0…127.
    public let rawValue: Int

    /// Creates a number.
    ///
    /// - Parameter rawValue: The number, 0…127.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Bank select.
    public static let bankSelect = MessageType(rawValue: 0)
    /// The modulation wheel.
    public static let modWheel = MessageType(rawValue: 1)
    /// The breath controller.
    public static let breath = MessageType(rawValue: 2)
    /// The foot controller.
    public static let foot = MessageType(rawValue: 4)
    /// The portamento time.
    public static let portamentoTime = MessageType(rawValue: 5)
    /// Data entry.
    public static let dataEntry = MessageType(rawValue: 6)
    /// The volume.
    public static let volume = MessageType(rawValue: 7)
    /// The balance.
    public static let balance = MessageType(rawValue: 8)
    /// The pan.
    public static let pan = MessageType(rawValue: 10)
    /// The expression.
    public static let expression = MessageType(rawValue: 11)
    /// The sustain pedal.
    public static let sustain = MessageType(rawValue: 64)
    /// Portamento on and off.
    public static let portamento = MessageType(rawValue: 65)
    /// The sostenuto pedal.
    public static let sostenuto = MessageType(rawValue: 66)
    /// The soft pedal.
    public static let soft = MessageType(rawValue: 67)
    /// The legato pedal.
    public static let legatoPedal = MessageType(rawValue: 68)
    /// The hold pedal 2.
    public static let hold2Pedal = MessageType(rawValue: 69)
    /// The filter resonance.
    public static let filterResonance = MessageType(rawValue: 71)
    /// The release time.
    public static let releaseTime = MessageType(rawValue: 72)
    /// The attack time.
    public static let attackTime = MessageType(rawValue: 73)
    /// The brightness.
    public static let brightness = MessageType(rawValue: 74)
    /// The decay time.
    public static let decayTime = MessageType(rawValue: 75)
    /// The vibrato rate.
    public static let vibratoRate = MessageType(rawValue: 76)
    /// The vibrato depth.
    public static let vibratoDepth = MessageType(rawValue: 77)
    /// The vibrato delay.
    public static let vibratoDelay = MessageType(rawValue: 78)
    /// The reverb level.
    public static let reverbLevel = MessageType(rawValue: 91)
    /// The chorus level.
    public static let chorusLevel = MessageType(rawValue: 93)
    /// The low byte of a registered parameter's number.
    public static let rpnLSB = MessageType(rawValue: 100)
    /// The high byte of a registered parameter's number.
    public static let rpnMSB = MessageType(rawValue: 101)
    /// All sound off.
    public static let allSoundOff = MessageType(rawValue: 120)
    /// Reset all controllers.
    public static let resetAllControllers = MessageType(rawValue: 121)
    /// All notes off.
    public static let allNotesOff = MessageType(rawValue: 123)
    /// Omni mode off.
    public static let omniModeOff = MessageType(rawValue: 124)
    /// Omni mode on.
    public static let omniModeOn = MessageType(rawValue: 125)
    /// Mono mode on.
    public static let monoModeOn = MessageType(rawValue: 126)
    /// Poly mode on.
    public static let polyModeOn = MessageType(rawValue: 127)
  }

  /// The number of the controller.
  public let messageType: MessageType
  /// The value, 0…127.
  public let value: UInt32

  /// Creates a controller.
  ///
  /// - Parameters:
  ///   - channel: The channel, 0…15.
  ///   - messageType: The number of the controller.
  ///   - value: The value, 0…127.
  public init(channel: UInt32, messageType: MessageType, value: UInt32) {
    (self.messageType, self.value) = (messageType, value)
    super.init(channel)
  }

  override var parts: (status: UInt8, data1: UInt32, data2: UInt32)? {
    UInt32(exactly: messageType.rawValue).map { (0xB0, $0, value) }
  }
}

/// The pressure of a key.
open class AVMIDIPolyPressureEvent: AVMIDIChannelEvent {
  /// The key, 0…127.
  open var key: UInt32
  /// The pressure, 0…127.
  open var pressure: UInt32

  /// Creates a pressure.
  ///
  /// - Parameters:
  ///   - channel: The channel, 0…15.
  ///   - key: The key, 0…127.
  ///   - pressure: The pressure, 0…127.
  public init(channel: UInt32, key: UInt32, pressure: UInt32) {
    (self.key, self.pressure) = (key, pressure)
    super.init(channel)
  }

  override var parts: (status: UInt8, data1: UInt32, data2: UInt32)? { (0xA0, key, pressure) }
}

/// A program change.
open class AVMIDIProgramChangeEvent: AVMIDIChannelEvent {
  /// The program, 0…127.
  open var programNumber: UInt32

  /// Creates a program change.
  ///
  /// - Parameters:
  ///   - channel: The channel, 0…15.
  ///   - programNumber: The program, 0…127.
  public init(channel: UInt32, programNumber: UInt32) {
    self.programNumber = programNumber
    super.init(channel)
  }

  override var parts: (status: UInt8, data1: UInt32, data2: UInt32)? { (0xC0, programNumber, 0) }
}

/// The pressure of a channel.
open class AVMIDIChannelPressureEvent: AVMIDIChannelEvent {
  /// The pressure, 0…127.
  open var pressure: UInt32

  /// Creates a pressure.
  ///
  /// - Parameters:
  ///   - channel: The channel, 0…15.
  ///   - pressure: The pressure, 0…127.
  public init(channel: UInt32, pressure: UInt32) {
    self.pressure = pressure
    super.init(channel)
  }

  override var parts: (status: UInt8, data1: UInt32, data2: UInt32)? { (0xD0, pressure, 0) }
}

/// A pitch bend.
open class AVMIDIPitchBendEvent: AVMIDIChannelEvent {
  /// The position of the wheel, 0…16,383; 8192 is the centre.
  open var value: UInt32

  /// Creates a pitch bend.
  ///
  /// - Parameters:
  ///   - channel: The channel, 0…15.
  ///   - value: The position of the wheel, 0…16,383.
  public init(channel: UInt32, value: UInt32) {
    self.value = value
    super.init(channel)
  }

  override var parts: (status: UInt8, data1: UInt32, data2: UInt32)? {
    let value = min(value, 16_383)
    return (0xE0, value & 127, value >> 7)
  }
}
