// SPDX-License-Identifier: Apache-2.0

/// A file that is not a MIDI file, recognised by its first bytes.
///
/// The value provides the name of the file type and advice on getting a MIDI file, for error
/// messages.
public struct ForeignFile: Hashable, Sendable {
  /// The kinds of files that get different error messages.
  public enum Kind: Hashable, Sendable {
    /// A sound file.
    case sound
    /// A soundfont in the SoundFont format.
    case soundFont
    /// Plain text of an unknown kind.
    case text
    /// Any other recognised file.
    case other
  }

  /// The kind of file, which determines the error message.
  public let kind: Kind
  /// A noun phrase for error messages, such as "a web page".
  public let name: String
  /// Advice on getting a MIDI file; nil if none is known.
  public let remedy: String?

  /// Recognises the kind of a file from its first bytes, or returns nil if the kind is unknown.
  ///
  /// - Parameter bytes: The file's bytes, or its first 4,096.
  /// - Complexity: O(1).
  public init?(_ bytes: [UInt8]) {
    let head = bytes.prefix(4096)
    if let known = Self.marked(head) {
      self = known
    } else if Self.isMPEGAudio(head) {
      self.init(.sound, "a sound file (MP3)", Self.noNotes)
    } else if Self.isText(head) {
      self.init(.text, "a text file", "a MIDI file is binary and starts with MThd")
    } else {
      return nil
    }
  }

  private init(_ kind: Kind, _ name: String, _ remedy: String? = nil) {
    (self.kind, self.name, self.remedy) = (kind, name, remedy)
  }

  private static let noNotes = "only MIDI files contain notes"
  private static let notation =
    "open it in a notation program, such as MuseScore, and save it as MIDI"
  private static let page = ForeignFile(.other, "a web page", "download the MIDI file itself")

  /// Kinds of markup, by a lower-case word near the beginning.
  private static let markup: [(word: String, file: ForeignFile)] = [
    ("<!doctype html", page), ("<html", page),
    ("score-partwise", ForeignFile(.other, "MusicXML", notation)),
    ("score-timewise", ForeignFile(.other, "MusicXML", notation)),
    ("<?xml", ForeignFile(.other, "XML")),
  ]

  private static func marked(_ head: ArraySlice<UInt8>) -> ForeignFile? {
    if let start = head.firstIndex(where: { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) }),
      head[start] == UInt8(ascii: "<")
    {
      let text = String(decoding: head, as: UTF8.self).lowercased()
      return markup.first { text.contains($0.word) }?.file
    }
    if head.starts(with: "PK\u{3}\u{4}".utf8) {
      let isScore = String(decoding: head, as: UTF8.self).contains("META-INF/container.xml")
      return isScore ? ForeignFile(.other, "packed MusicXML", notation) : zip
    }
    return marks.first { head.dropFirst($0.offset).starts(with: $0.mark) }?.file
  }

  private static let zip = ForeignFile(.other, "a ZIP archive", "unpack it first: unzip")

  private typealias Mark = (offset: Int, mark: [UInt8], file: ForeignFile)

  private static func mark(
    _ mark: String, _ name: String, _ remedy: String? = nil, at offset: Int = 0,
    kind: Kind = .other
  ) -> Mark {
    (offset, mark.unicodeScalars.map { UInt8($0.value) }, ForeignFile(kind, name, remedy))
  }

  private static func sound(_ mark: String, _ name: String, at offset: Int = 0) -> Mark {
    self.mark(mark, "a sound file (\(name))", noNotes, at: offset, kind: .sound)
  }

  /// Signatures.
  ///
  /// If two begin alike, the longer precedes. Bytes above 127 are characters of Latin 1.
  private static let marks: [Mark] = [
    sound("WAVE", "WAV", at: 8), sound("AIFF", "AIFF", at: 8), sound("AIFC", "AIFF", at: 8),
    sound("fLaC", "FLAC"), sound("OggS", "Ogg"), sound("caff", "CAF"), sound("riff", "Wave64"),
    sound(".snd", "AU"), sound("ID3", "MP3"),
    mark("sfbk", "a soundfont", "use it with --soundfont", at: 8, kind: .soundFont),
    mark("AVI ", "a film (AVI)", at: 8), mark("WEBP", "a picture (WebP)", at: 8),
    mark("RIFF", "a RIFF file, but not RMID"),
    mark("GIF8", "a picture (GIF)"), mark("\u{89}PNG", "a picture (PNG)"),
    mark("\u{FF}\u{D8}\u{FF}", "a picture (JPEG)"), mark("%PDF", "a PDF document"),
    mark("\u{7F}ELF", "a program"),
    mark("\u{1F}\u{8B}", "packed with gzip", "unpack it first: gunzip"),
    mark("\u{FD}7zXZ", "packed with xz", "unpack it first: xz -d"),
    mark("BZh", "packed with bzip2", "unpack it first: bunzip2"),
    mark("\u{28}\u{B5}\u{2F}\u{FD}", "packed with zstd", "unpack it first: zstd -d"),
    mark("7z\u{BC}\u{AF}", "a 7-Zip archive", "unpack it first: 7z x"),
    mark("Rar!", "a RAR archive", "unpack it first: unrar x"),
    mark("-lh", "an LHA archive", "unpack it first: lha x", at: 2),
    mark("version https://git-lfs", "a Git LFS pointer", "fetch the file itself: git lfs pull"),
    mark("HMI-MIDISONG", "an HMI song", "convert it with WildMIDI: wildmidi --tomidi"),
    mark("HMIMIDIP", "an HMP song", "convert it with WildMIDI: wildmidi --tomidi"),
    mark("GMD ", "a GMD song of LucasArts games"),
    mark("XMF_", "an XMF file"),
    mark("RCM-PC98", "a Recomposer song (RCP)"), mark("COME ON MUSIC", "a Recomposer song (RCP)"),
    mark("SMF2CLIP", "a MIDI clip file (MIDI 2.0)"),
    mark("\u{FF}\u{FE}", "text in UTF-16"), mark("\u{FE}\u{FF}", "text in UTF-16"),
  ]

  /// True if the file begins with a valid header of MPEG audio.
  private static func isMPEGAudio(_ head: ArraySlice<UInt8>) -> Bool {
    let bytes = Array(head.prefix(3))
    guard bytes.count == 3, bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0 else { return false }
    let (version, layer) = (bytes[1] >> 3 & 3, bytes[1] >> 1 & 3)
    return version != 1 && layer != 0 && bytes[2] >> 4 != 15 && bytes[2] >> 2 & 3 != 3
  }

  /// True if the first bytes are printable characters (most of them ASCII), line ends and tabs.
  private static func isText(_ head: ArraySlice<UInt8>) -> Bool {
    let start = head.prefix(512)
    guard !start.isEmpty, start.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || 9...13 ~= $0 }) else {
      return false
    }
    return start.count { $0 < 0x80 } * 4 >= start.count * 3
  }
}
