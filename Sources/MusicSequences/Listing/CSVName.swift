// SPDX-License-Identifier: Apache-2.0

/// The names of rows in midicsv's tables.
///
/// Source: midicsv(5), John Walker's description of the format.
enum CSVName: String, CaseIterable {
  case header = "Header"
  case startTrack = "Start_track"
  case endTrack = "End_track"
  case endOfFile = "End_of_file"
  case noteOff = "Note_off_c"
  case noteOn = "Note_on_c"
  case polyPressure = "Poly_aftertouch_c"
  case control = "Control_c"
  case program = "Program_c"
  case channelPressure = "Channel_aftertouch_c"
  case bend = "Pitch_bend_c"
  case sysEx = "System_exclusive"
  case packet = "System_exclusive_packet"
  case sequenceNumber = "Sequence_number"
  case text = "Text_t"
  case copyright = "Copyright_t"
  case title = "Title_t"
  case instrument = "Instrument_name_t"
  case lyric = "Lyric_t"
  case marker = "Marker_t"
  case cuePoint = "Cue_point_t"
  case channelPrefix = "Channel_prefix"
  case port = "MIDI_port"
  case tempo = "Tempo"
  case smpteOffset = "SMPTE_offset"
  case timeSignature = "Time_signature"
  case keySignature = "Key_signature"
  case sequencerSpecific = "Sequencer_specific"
  case unknownMeta = "Unknown_meta_event"

  /// The names of the texts, indexed by meta type − 1.
  static let texts: [CSVName] = [
    .text, .copyright, .title, .instrument, .lyric, .marker, .cuePoint,
  ]

  /// The names of channel messages, indexed by the upper four bits of their status − 8.
  static let messages: [CSVName] = [
    .noteOff, .noteOn, .polyPressure, .control, .program, .channelPressure, .bend,
  ]

  /// The names by their lower-case form.
  static let byLowercased: [String: CSVName] = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0.rawValue.lowercased(), $0) })

  /// The type of the row's meta event and the number of its values; a text has one.
  var meta: (type: UInt8, count: Int)? {
    switch self {
    case .sequenceNumber: (0x00, 1)
    case .channelPrefix: (0x20, 1)
    case .port: (0x21, 1)
    case .tempo: (0x51, 1)
    case .smpteOffset: (0x54, 5)
    case .timeSignature: (0x58, 4)
    case .keySignature: (0x59, 2)
    default: Self.texts.firstIndex(of: self).map { (UInt8($0 + 1), 1) }
    }
  }
}
