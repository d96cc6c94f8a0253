// SPDX-License-Identifier: Apache-2.0
import FileNames
import JSONText
import Testing

/// Names of any bytes as text, shown and written.
@Suite struct FileNameTests {
  private static let names: [[UInt8]] = [
    Array("song.mid".utf8), Array("表/Übung 表.mid".utf8), [0x63, 0xE9, 0x2E], [0xFF],
    // Shift-JIS, whose second byte is a backslash.
    [0x95, 0x5C, 0x2E],
    // A scalar of the escape block, and its neighbours.
    [0xF4, 0x8F, 0xBB, 0xA9], [0xF4, 0x8F, 0xB8, 0x80], [0xF4, 0x8F, 0xBC, 0x80],
    // A surrogate, an overlong form, and characters that are cut short.
    [0xED, 0xA0, 0x80, 0x41], [0xC0, 0xAF], [0xE2, 0x82], [0xF4, 0x8F, 0xBB], [0xF4], [0x80, 0xF4],
    [0xE2, 0x82, 0x41, 0xC3, 0xA9, 0xC3], [0x0A, 0x1B, 0x5B, 0x41], [],
  ]

  @Test(arguments: names) func `a name keeps its bytes`(bytes: [UInt8]) {
    let text = FileName.text(of: bytes)
    #expect(FileName.bytes(of: text) == bytes)
    #expect(FileName.hasLooseBytes(text) == !text.utf8.elementsEqual(bytes))
    let passed = text.withSystemPath { unsafe FileName.text(cString: $0) }
    #expect(passed == text)
  }

  @Test func `names of other bytes are other texts, and UTF-8 stays as it is`() {
    #expect(Set(Self.names.map { Array(FileName.text(of: $0).utf8) }).count == Self.names.count)
    #expect(FileName.text(of: Array("Übung 表.mid".utf8)) == "Übung 表.mid")
    #expect(FileName.text(of: [0x61, 0xE9]) == "a\u{10FEE9}")
  }

  @Test(arguments: ["\u{301}x", "a/\u{301}x", "/\u{FE0F}/\u{200D}b", "表/\u{903}"])
  func `a mark at the start of a name does not join the slash`(name: String) {
    let text = FileName.text(of: name.utf8)
    #expect(FileName.bytes(of: text) == Array(name.utf8))
    #expect(text.count { $0 == "/" } == name.utf8.count { $0 == 0x2F })
  }

  @Test func `all bytes are preserved`() {
    var random = SystemRandomNumberGenerator()
    let alphabet: [UInt8] = [0x41, 0x80, 0x8F, 0xBA, 0xBB, 0xC3, 0xE2, 0xED, 0xF0, 0xF4, 0xFF]
    for _ in 0..<5000 {
      let count = Int.random(in: 0..<12, using: &random)
      let bytes = (0..<count).map { _ in alphabet.randomElement(using: &random) ?? 0 }
      #expect(FileName.bytes(of: FileName.text(of: bytes)) == bytes)
    }
  }

  @Test(
    arguments: [
      ([0x63, 0x61, 0x66, 0xE9, 0x2E, 0x6D, 0x69, 0x64], #"caf\xE9.mid"#), ([0xFF], #"\xFF"#),
      ([0x95, 0x5C, 0x2E], #"\x95\."#), ([0x0A, 0x1B, 0x5B], #"\x0A\x1B["#),
      ([0xE2, 0x80, 0xAE], #"\xE2\x80\xAE"#), ([0xC3, 0xA9], "é"),
      ([0xF4, 0x8F, 0xBB, 0xA9], #"\xF4\x8F\xBB\xA9"#),
    ] as [([UInt8], String)])
  func `bytes that are not text are shown in hexadecimal`(bytes: [UInt8], shown: String) {
    #expect(Printable.text(FileName.text(of: bytes)) == shown)
  }

  @Test(arguments: names) func `JSON has a name's bytes only if it needs them`(
    bytes: [UInt8]
  ) throws {
    let name = FileName.text(of: bytes)
    for member in ["path", "file", "output", "data"] {
      let text = "\(JSONValue.object([(member, .path(name)), ("v", 1)]))"
      let read = try JSONReader.read(Array(text.utf8))
      #expect(read.fileName(member) == name)
      #expect(read[member]?.string == Printable.text(name))
      #expect(text.contains("Bytes") == (Printable.text(name) != name))
    }
    let list = try JSONReader.read(Array("\(JSONValue.array([.path(name)]))".utf8))
    #expect(list.elements?.map(\.fileName) == [name])
  }

  @Test func `JSON escapes invalid bytes and adds the bytes of the path`() {
    let name = FileName.text(of: [0x61, 0xE9])
    #expect(
      "\(JSONValue.object([("file", .path(name))]))"
        == #"{"file":"a\\xE9","pathBytes":"Yek="}"#)
    #expect("\(JSONValue.array([.path("a"), .text(name)]))" == #"["a","a\\xE9"]"#)
    #expect("\(JSONValue.path(name))" == #"{"path":"a\\xE9","pathBytes":"Yek="}"#)
  }
}
