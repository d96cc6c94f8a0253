// SPDX-License-Identifier: Apache-2.0

/// What bytes that are no MIDI file seem to be, in the words of the error message.
struct FileKind {
  private let reader: ByteReader

  init(_ reader: ByteReader) {
    self.reader = reader
  }

  /// What the file is and what to do, where it is known to be something else.
  var stranger: String? {
    if reader.count == 0 { return "the file is empty; copy or download it again" }
    if reader.count < 4, [0x4D, 0x54, 0x68].starts(with: reader.bytes) { return Self.cutOff }
    for (offset, mark, words) in Self.marks where reader.has(mark, at: offset) { return words }
    if reader.count >= 2, reader.bytes[0] == 0x1F, reader.bytes[1] == 0x8B {
      return "compressed with gzip; unpack it first (gunzip)"
    }
    if isText { return "a text file; a MIDI file is binary and begins with MThd" }
    return nil
  }

  /// What the file begins with, in place of a header.
  var beginning: String {
    let bytes = reader.bytes.prefix(4).map { hexadecimal(Int($0)) }.joined(separator: " ")
    return "it begins with \(bytes), where a MIDI file has 4D 54 68 64 (MThd)"
  }

  private static let cutOff = "its header is cut off; copy or download the file again"

  private static let marks: [(Int, StaticString, String)] = [
    (0, "PK\u{3}\u{4}", "a ZIP archive; unpack it first (unzip)"),
    (0, "<!DOCTYPE", "a web page; download the MIDI file itself"),
    (0, "<html", "a web page; download the MIDI file itself"),
    (0, "<HTML", "a web page; download the MIDI file itself"),
    (8, "WAVE", "a sound file (WAVE); only MIDI files have notes in them"),
    (0, "OggS", "a sound file (Ogg); only MIDI files have notes in them"),
    (0, "fLaC", "a sound file (FLAC); only MIDI files have notes in them"),
    (0, "ID3", "a sound file (MP3); only MIDI files have notes in them"),
    (8, "sfbk", "a SoundFont; name it with --soundfont"),
    (0, "RIFF", "a RIFF file of another type than RMID"),
  ]

  /// Whether the first bytes are printable, most of them ASCII, with line ends and tabs.
  private var isText: Bool {
    let start = reader.bytes.prefix(512)
    guard start.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || 9...13 ~= $0 }) else { return false }
    return start.count { $0 < 0x80 } * 4 >= start.count * 3
  }
}
