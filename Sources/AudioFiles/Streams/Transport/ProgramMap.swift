// SPDX-License-Identifier: Apache-2.0

/// The streams of a program with sound and tags, from the tables of a transport stream.
///
/// Sources: ISO/IEC 13818-1, 2.4.4.3 and 2.4.4.8; Apple, "Timed Metadata for HTTP Live Streaming".
struct ProgramMap: Hashable, Sendable {
  /// A kind of sound in a stream.
  enum Sound: Hashable, Sendable {
    /// AAC with ADTS headers, or MPEG-1 and MPEG-2 audio.
    case framed
    /// Sound that is encrypted sample by sample.
    case encrypted
    /// Sound in another format, with the number of its stream type.
    case other(Int)
  }

  /// The number of the stream with the sound; nil if the program does not have any.
  private(set) var soundStream: Int?
  /// The kind of the sound.
  private(set) var sound = Sound.other(0)
  /// The number of the stream with ID3 tags; nil if the program does not have any.
  private(set) var tagStream: Int?

  /// Finds the stream with the map of the first program, in a program association table.
  ///
  /// - Parameter table: The table without its checksum.
  /// - Returns: The number of the stream; nil if the table is damaged, not valid yet, or does not
  ///   contain a program.
  static func mapStream(inAssociation table: [UInt8]) -> Int? {
    guard table.count >= 8, table[0] == 0, table[5] & 1 == 1 else { return nil }
    for place in stride(from: 8, to: table.count - 3, by: 4) {
      let program = Int(table[place]) << 8 | Int(table[place + 1])
      if program != 0 { return Int(table[place + 2] & 0x1F) << 8 | Int(table[place + 3]) }
    }
    return nil
  }

  /// Reads a program map table; nil if it is damaged, or not valid yet.
  ///
  /// The first stream with supported sound is used.
  ///
  /// - Parameter table: The table without its checksum.
  init?(_ table: [UInt8]) {
    guard table.count >= 12, table[0] == 2, table[5] & 1 == 1 else { return nil }
    var place = 12 + (Int(table[10] & 0x0F) << 8 | Int(table[11]))
    while place + 5 <= table.count {
      let stream = Int(table[place + 1] & 0x1F) << 8 | Int(table[place + 2])
      add(stream, type: Int(table[place]))
      place += 5 + (Int(table[place + 3] & 0x0F) << 8 | Int(table[place + 4]))
    }
  }

  private mutating func add(_ stream: Int, type: Int) {
    switch type {
    case 0x03, 0x04, 0x0F: choose(stream, .framed)
    case 0xC1, 0xC2, 0xCF: choose(stream, .encrypted)
    case 0x11, 0x80...0x87: choose(stream, .other(type))
    case 0x15: tagStream = tagStream ?? stream
    default: break
    }
  }

  private mutating func choose(_ stream: Int, _ kind: Sound) {
    guard soundStream == nil || (kind == .framed && sound != .framed) else { return }
    (soundStream, sound) = (stream, kind)
  }
}
