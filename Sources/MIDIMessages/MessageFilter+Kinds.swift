// SPDX-License-Identifier: Apache-2.0

extension MessageFilter {
  /// A set of kinds of messages.
  public struct Kinds: OptionSet, Hashable, BitwiseCopyable, Sendable {
    /// The set as bits, one for each kind.
    public let rawValue: UInt16

    /// Creates a set from its bits.
    public init(rawValue: UInt16) {
      self.rawValue = rawValue
    }

    /// Note-ons and note-offs.
    public static var notes: Kinds { Kinds(rawValue: 1 << 0) }
    /// Pressure on one key.
    public static var keyPressure: Kinds { Kinds(rawValue: 1 << 1) }
    /// Controllers, including mode messages.
    public static var controls: Kinds { Kinds(rawValue: 1 << 2) }
    /// Program changes.
    public static var programs: Kinds { Kinds(rawValue: 1 << 3) }
    /// Pressure on the whole channel.
    public static var channelPressure: Kinds { Kinds(rawValue: 1 << 4) }
    /// Pitch bend.
    public static var bend: Kinds { Kinds(rawValue: 1 << 5) }
    /// System exclusive.
    public static var sysEx: Kinds { Kinds(rawValue: 1 << 6) }
    /// Clock, start, continue and stop.
    public static var clock: Kinds { Kinds(rawValue: 1 << 7) }
    /// Song position and song select.
    public static var song: Kinds { Kinds(rawValue: 1 << 8) }
    /// MTC quarter frames.
    public static var timecode: Kinds { Kinds(rawValue: 1 << 9) }
    /// Tune request.
    public static var tuneRequest: Kinds { Kinds(rawValue: 1 << 10) }
    /// Active sensing messages.
    public static var sensing: Kinds { Kinds(rawValue: 1 << 11) }
    /// System reset.
    public static var reset: Kinds { Kinds(rawValue: 1 << 12) }

    /// All kinds of messages.
    public static var all: Kinds { Kinds(rawValue: 0x1FFF) }

    /// The names of the kinds in command-line options, in order.
    public static var named: [(name: String, kinds: Kinds)] {
      [
        ("note", .notes), ("pressure", [.keyPressure, .channelPressure]), ("cc", .controls),
        ("program", .programs), ("bend", .bend), ("sysex", .sysEx), ("clock", .clock),
        ("song", .song), ("timecode", .timecode), ("tune", .tuneRequest),
        ("sensing", .sensing), ("reset", .reset),
      ]
    }

    /// Creates a set with the kind of a message; empty for an undefined status.
    public init(of message: Message) {
      switch message.status {
      case 0x80...0x9F: self = .notes
      case 0xA0...0xAF: self = .keyPressure
      case 0xB0...0xBF: self = .controls
      case 0xC0...0xCF: self = .programs
      case 0xD0...0xDF: self = .channelPressure
      case 0xE0...0xEF: self = .bend
      case 0xF0, 0xF7: self = .sysEx
      case 0xF1: self = .timecode
      case 0xF2, 0xF3: self = .song
      case 0xF6: self = .tuneRequest
      case 0xF8, 0xFA, 0xFB, 0xFC: self = .clock
      case 0xFE: self = .sensing
      case 0xFF: self = .reset
      default: self = []
      }
    }
  }
}
