// SPDX-License-Identifier: Apache-2.0

/// What a file is that is no song, by how it begins, and which command takes it.
enum FileKind {
  case sound(String)
  case soundFont
  case list
  case text
  case other(String)

  /// Looks at a file's beginning; nil where it says nothing.
  init?(_ bytes: [UInt8]) {
    let head = Array(bytes.prefix(16))
    let tag = String(decoding: head.prefix(4), as: UTF8.self)
    let form = String(decoding: head.dropFirst(8).prefix(4), as: UTF8.self)
    if let kind = Self.container(tag, form) ?? Self.signature(head) {
      self = kind
    } else if Self.isText(bytes.prefix(4096)) {
      let isList = bytes.starts(with: "0, 0, Header".utf8) || bytes.starts(with: "{\"v\":1".utf8)
      self = isList ? .list : .text
    } else {
      return nil
    }
  }

  private static func container(_ tag: String, _ form: String) -> FileKind? {
    switch (tag, form) {
    case ("RIFF", "sfbk"): .soundFont
    case ("RIFF", "WAVE"), ("RIFX", "WAVE"), ("RF64", "WAVE"): .sound("WAV")
    case ("FORM", "AIFF"), ("FORM", "AIFC"): .sound("AIFF")
    case ("fLaC", _): .sound("FLAC")
    case ("OggS", _): .sound("Ogg")
    case ("caff", _): .sound("CAF")
    case ("riff", _): .sound("Wave64")
    case (".snd", _): .sound("AU")
    case ("RIFF", "AVI "): .other("a film (AVI)")
    case ("RIFF", "WEBP"): .other("a picture (WebP)")
    case ("GIF8", _): .other("a picture (GIF)")
    case ("%PDF", _): .other("a PDF document")
    case ("PK\u{3}\u{4}", _): .other("a ZIP archive (unpack it first)")
    case ("Rar!", _): .other("a RAR archive (unpack it first)")
    default: nil
    }
  }

  private static func signature(_ head: [UInt8]) -> FileKind? {
    let known: [([UInt8], FileKind)] = [
      ([0x49, 0x44, 0x33], .sound("MP3")), ([0x89, 0x50, 0x4E, 0x47], .other("a picture (PNG)")),
      ([0xFF, 0xD8, 0xFF], .other("a picture (JPEG)")),
      ([0x37, 0x7A, 0xBC, 0xAF], .other("a 7-Zip archive (unpack it first)")),
      ([0xFD, 0x37, 0x7A, 0x58], .other("packed with xz (unpack it first)")),
      ([0x42, 0x5A, 0x68], .other("packed with bzip2 (unpack it first)")),
      ([0x28, 0xB5, 0x2F, 0xFD], .other("packed with zstd (unpack it first)")),
      ([0x7F, 0x45, 0x4C, 0x46], .other("a program")),
    ]
    if let kind = known.first(where: { head.starts(with: $0.0) })?.1 { return kind }
    // Eleven bits of a frame of MPEG audio, and a layer.
    let isMPEG = head.count > 2 && head[0] == 0xFF && head[1] & 0xE0 == 0xE0 && head[1] & 0x06 != 0
    return isMPEG ? .sound("MP3") : nil
  }

  /// Whether it is UTF-8 without control characters but those of lines; one character may be cut.
  private static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
    let isPlain = bytes.allSatisfy { $0 >= 0x20 || (0x09...0x0D).contains($0) }
    return !bytes.isEmpty && isPlain
      && (0...3).contains { String(validating: bytes.dropLast($0), as: UTF8.self) != nil }
  }

  /// What it is, and what to type.
  func sentence(about name: String) -> String {
    let path = name == "standard input" ? "-" : name
    return switch self {
    case .sound(let kind):
      "\(name): is a sound file (\(kind)), no song (downbeat sound info \(path))"
    case .soundFont: "\(name): is a soundfont, no song (downbeat soundfont info \(path))"
    case .list:
      "\(name): is a list of events, no song yet (downbeat events --import \(path) -o song.mid)"
    case .text: "\(name): is text, no MIDI file (a score becomes one: downbeat new \(path))"
    case .other(let kind): "\(name): is \(kind), no song"
    }
  }
}

extension Failure {
  /// The failure for a file that was read and is no song: what it is, or what is wrong with it.
  static func notSong(_ name: String, _ bytes: [UInt8], _ error: any Error) -> Failure {
    Failure(.badData, FileKind(bytes)?.sentence(about: name) ?? "\(name): \(error)")
  }
}
