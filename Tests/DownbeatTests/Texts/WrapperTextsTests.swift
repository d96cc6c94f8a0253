// SPDX-License-Identifier: Apache-2.0
import Downbeat
import MusicSequences
import TestSupport
import Testing

/// The texts of a RIFF wrapper, and those of its song, in the encodings that the wrapper names.
@Suite struct WrapperTextsTests {
  private func file(
    _ information: [(String, [UInt8])], text: [UInt8] = [0x41]
  ) throws -> SequenceFile {
    let song = SongBytes.file([(0, [0xFF, 0x03, UInt8(text.count)] + text)])
    return try SMFReader().read(WrappedSong.file(song, information))
  }

  private func texts(_ information: [(String, [UInt8])]) throws -> WrapperTexts {
    WrapperTexts(try #require(try file(information).wrapper))
  }

  /// "Привет" in Windows-1251, and "Große" in Windows-1252.
  private static let cyrillic: [UInt8] = [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2]
  private static let western: [UInt8] = [0x47, 0x72, 0x6F, 0xDF, 0x65]

  @Test(arguments: [
    ("utf-8", Array("Привет".utf8)), ("UTF-8", Array("Привет".utf8)),
    ("windows-1251", Self.cyrillic), ("Windows-1251", Self.cyrillic),
  ])
  func `the encoding that the wrapper names is used`(name: String, bytes: [UInt8]) throws {
    let texts = try texts([("INAM", bytes + [0]), WrappedSong.text("IENC", name)])
    #expect(texts[.title] == "Привет" && texts.encoding == name)
  }

  @Test(arguments: [
    "shift-jis", "Shift_JIS", "windows-1250", "windows-1253", "windows-1254", "windows-1255",
    "windows-1256", "windows-1257", "windows-1258",
  ])
  func `every encoding of the specification is known`(name: String) throws {
    let texts = try texts([WrappedSong.text("INAM", "Blue"), WrappedSong.text("IENC", name)])
    #expect(texts[.title] == "Blue" && texts.encoding == name)
  }

  @Test func `without a name, or with an unknown one, texts are UTF-8 or a guess`() throws {
    #expect(try texts([("INAM", Array("Привет".utf8))])[.title] == "Привет")
    #expect(try texts([("INAM", Self.western)])[.title] == "Große")
    for name in ["nonsense", "utf-8//IGNORE", String(repeating: "a", count: 100)] {
      let texts = try texts([("INAM", Self.western), WrappedSong.text("IENC", name)])
      #expect(texts[.title] == "Große" && texts.encoding == "CP1252")
    }
  }

  @Test func `spaces around texts are removed, and empty texts are left out`() throws {
    let texts = try texts([
      WrappedSong.text("INAM", "  Blue \r\n"), WrappedSong.text("IART", "  "), ("ICMT", [0, 0x41]),
    ])
    #expect(texts.texts == [.title: "Blue"])
  }

  @Test func `the song's texts are decoded by the encoding in MENC`() throws {
    let named = try file([WrappedSong.text("MENC", "windows-1251")], text: Self.cyrillic)
    #expect(TextDecoder(of: named).text(Self.cyrillic) == "Привет")
    let unnamed = try file([WrappedSong.text("MENC", "?")], text: Self.western)
    #expect(TextDecoder(of: unnamed).text(Self.western) == "Große")
  }
}
