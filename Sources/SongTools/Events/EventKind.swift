// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicSequences

/// The kind of an event, with its name in lists and in `--kind`.
enum EventKind: String, CaseIterable {
  case noteOff, noteOn, polyPressure, control, program, channelPressure, pitchBend
  case sysEx, packet
  case sequenceNumber, text, copyright, trackName, instrumentName, lyric, marker, cuePoint
  case programName, deviceName, channelPrefix, port, endOfTrack, tempo, smpteOffset
  case timeSignature, keySignature, sequencerSpecific, unknownMeta

  private static let messages: [EventKind] = [
    .noteOff, .noteOn, .polyPressure, .control, .program, .channelPressure, .pitchBend,
  ]

  /// The meta types that have a name, with their required lengths; -1 is any length.
  static let metas: [(kind: EventKind, type: UInt8, length: Int)] = [
    (.sequenceNumber, 0x00, 2), (.text, 0x01, -1), (.copyright, 0x02, -1), (.trackName, 0x03, -1),
    (.instrumentName, 0x04, -1), (.lyric, 0x05, -1), (.marker, 0x06, -1), (.cuePoint, 0x07, -1),
    (.programName, 0x08, -1), (.deviceName, 0x09, -1), (.channelPrefix, 0x20, 1), (.port, 0x21, 1),
    (.endOfTrack, 0x2F, -1), (.tempo, 0x51, 3), (.smpteOffset, 0x54, 5), (.timeSignature, 0x58, 4),
    (.keySignature, 0x59, 2), (.sequencerSpecific, 0x7F, -1),
  ]

  /// The kind of each meta type.
  ///
  /// An event with another length than the required one is unknown.
  private static let metaTable: [(kind: EventKind, length: Int)] = {
    var table = [(kind: EventKind, length: Int)](repeating: (.unknownMeta, -1), count: 256)
    for meta in metas { table[Int(meta.type)] = (meta.kind, meta.length) }
    return table
  }()

  /// Returns the kind of an event.
  init(_ event: FileEvent) {
    switch event.status {
    case 0x80..<0xF0: self = Self.messages[Int(event.status >> 4) - 8]
    case 0xF0: self = .sysEx
    case 0xF7: self = .packet
    default:
      let meta = Self.metaTable[Int(event.data1)]
      self = meta.length < 0 || meta.length == Int(event.payload.count) ? meta.kind : .unknownMeta
    }
  }

  /// The status byte of a channel message without the channel; nil for other events.
  var status: UInt8? {
    Self.messages.firstIndex(of: self).map { UInt8($0 + 8) << 4 }
  }

  /// True if the event is a text.
  var isText: Bool { Self.texts.contains(self) }

  private static let texts: [EventKind] = [
    .text, .copyright, .trackName, .instrumentName, .lyric, .marker, .cuePoint, .programName,
    .deviceName,
  ]

  /// Returns the kinds for a word of `--kind`, which names one kind or a group; nil if it is
  /// unknown.
  static func named(_ word: String) -> [EventKind]? {
    let plain = word.lowercased().filter { $0 != "-" && $0 != "_" }
    switch plain {
    case "note", "notes": return [.noteOn, .noteOff]
    case "channel": return messages
    case "pressure": return [.polyPressure, .channelPressure]
    case "bend": return [.pitchBend]
    case "texts": return texts
    case "meta": return metas.map(\.kind) + [.unknownMeta]
    case "sysex": return [.sysEx, .packet]
    default: return allCases.first { $0.rawValue.lowercased() == plain }.map { [$0] }
    }
  }
}
