// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import SoundStreaming

@Suite struct PlaylistTextTests {
  private func items(_ text: String, _ form: PlaylistText.Form = .m3u) -> [PlaylistText.Item] {
    Array(PlaylistText(Array(text.utf8), form))
  }

  @Test func `an M3U lists a file per line, without comments and empty lines`() {
    let list = "#EXTM3U\n#EXTINF:12,A Title, with a comma\n a.mid \t\n\n# no\nsub/b.mid"
    #expect(
      items(list) == [
        .init(name: "a.mid", title: "A Title, with a comma", line: 3),
        .init(name: "sub/b.mid", title: "", line: 6),
      ])
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `lines with every line ending have their numbers`(end: String) {
    let found = items(["a.mid", "", "b.mid", "#EXTINF:1,T", "c.mid", ""].joined(separator: end))
    #expect(found.map(\.name) == ["a.mid", "b.mid", "c.mid"])
    #expect(found.map(\.line) == [1, 3, 5])
    #expect(found.map(\.title) == ["", "", "T"])
  }

  @Test func `a byte order mark is skipped, and Latin-1 is read`() {
    let marked = PlaylistText([0xEF, 0xBB, 0xBF] + Array("é.mid\n".utf8), .m3u)
    #expect(Array(marked).map(\.name) == ["é.mid"])
    let latin = PlaylistText(Array("Caf".utf8) + [0xE9] + Array(".mid\né.mid".utf8), .m3u)
    #expect(Array(latin).map(\.name) == ["Café.mid", "é.mid"])
  }

  @Test func `the name of a file keeps its bytes`() {
    let bytes = Array("Caf".utf8) + [0xE9] + Array(".mid\nFile1=\n".utf8)
    #expect(Array(PlaylistText(bytes, .m3u)).map(\.fileName) == ["Caf\u{10FEE9}.mid", "File1="])
    let listed = PlaylistText(Array("File1=Caf".utf8) + [0xE9], .pls)
    #expect(Array(listed).map(\.fileName) == ["Caf\u{10FEE9}"])
  }

  @Test(arguments: [true, false])
  func `UTF-16 is read by its byte order mark`(isBigEndian: Bool) {
    let text = "\u{FEFF}#EXTINF:1,T表\r\nü\\表.mid\r\nb.mid"
    let bytes = text.utf16.flatMap { unit in
      let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return isBigEndian ? pair : pair.reversed()
    }
    for end in [[], [0x41]] as [[UInt8]] {
      let found = Array(PlaylistText(bytes + end, .m3u))
      #expect(found.map(\.name) == ["ü\\表.mid", "b.mid"])
      #expect(found.map(\.line) == [2, 3])
      #expect(found.first?.title == "T表")
    }
    #expect(Array(PlaylistText([0xFF, 0xFE, 0x00], .m3u)).isEmpty)
  }

  @Test func `a backslash may separate folders, but not within a character of Shift-JIS`() {
    func names(_ bytes: [UInt8]) -> [String] {
      Array(PlaylistText(bytes, .m3u)).first?.fileNames ?? []
    }
    #expect(names(Array("a/b.mid".utf8)) == ["a/b.mid"])
    #expect(names(Array("a\\b.mid".utf8)) == ["a\\b.mid", "a/b.mid", "a/b.mid"])
    let found = names(Array("a\\".utf8) + [0x95, 0x5C, 0x62])
    #expect(
      found.filter { $0.unicodeScalars.contains("\u{10FE95}") } == [
        "a\\\u{10FE95}\\b", "a/\u{10FE95}\\b", "a/\u{10FE95}/b",
      ])
  }

  @Test func `a PLS lists files by number, in any case`() {
    let list =
      "[playlist]\nNumberOfEntries=2\nFile1=a=b.mid\nTitle1=x\nfile2= b.mid\nFileX=c\nFile3="
    #expect(items(list, .pls).map(\.name) == ["a=b.mid", " b.mid"])
  }

  @Test func `the extension determines the format of a list`() {
    #expect(PlaylistText.form(of: "/a/b.M3U8") == .m3u)
    #expect(PlaylistText.form(of: "b.m3u") == .m3u)
    #expect(PlaylistText.form(of: ".pls") == .pls)
    #expect(PlaylistText.form(of: "song.mid") == nil)
    #expect(PlaylistText.form(of: "") == nil)
  }

  @Test func `for any bytes, numbers increase and names are not blank or broken`() {
    var random = SplitMix(seed: 7)
    let alphabet: [UInt8] = [
      0x0A, 0x0D, 0x20, 0x09, 0x23, 0x3D, 0x46, 0x31, 0xE9, 0xEF, 0xBB, 0xBF, 0,
    ]
    for _ in 0..<3000 {
      let count = Int.random(in: 0..<60, using: &random)
      let bytes = (0..<count).map { _ in alphabet.randomElement(using: &random) ?? 0 }
      for form in [PlaylistText.Form.m3u, .pls] {
        let found = Array(PlaylistText(bytes, form))
        #expect(zip(found, found.dropFirst()).allSatisfy { $0.line < $1.line })
        for item in found {
          #expect(
            !item.name.isEmpty
              && !item.name.unicodeScalars.contains { "\r\n".unicodeScalars.contains($0) })
        }
      }
    }
  }

  @Test func `an endless line is cut, and the next one is read`() {
    let found = items(String(repeating: "x", count: 1 << 20) + "\nb.mid")
    #expect(found.count == 2)
    #expect(found[0].name.count < 1 << 14)
    #expect(found[1] == .init(name: "b.mid", title: "", line: 2))
  }
}
