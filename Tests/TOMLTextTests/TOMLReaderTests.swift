// SPDX-License-Identifier: Apache-2.0
import TOMLText
import Testing

@Suite struct TOMLReaderTests {
  private func read(_ text: String) throws -> [String: TOMLValue] {
    let entries = try TOMLReader.read(Array(text.utf8))
    return Dictionary(
      uniqueKeysWithValues: entries.map { ($0.path.joined(separator: "."), $0.value) })
  }

  @Test func `tables, dotted keys and inline tables name the same things`() throws {
    let expected: [String: TOMLValue] = ["a.b.c": .integer(1), "a.b.d": .text("x")]
    #expect(try read("[a.b]\nc = 1\nd = \"x\"") == expected)
    #expect(try read("a.b.c = 1\na.b.d = 'x'") == expected)
    #expect(try read("a = { b = { c = 1, d = \"x\" } } # both") == expected)
    #expect(try read("[a]\r\n\"b\".c = 1\r\nb . 'd' = \"x\"\r\n") == expected)
  }

  @Test(arguments: [
    ("1_000", TOMLValue.integer(1000)), ("-7", .integer(-7)), ("+7", .integer(7)),
    ("0xff", .integer(255)), ("0b101", .integer(5)), ("0o17", .integer(15)),
    ("1.5", .decimal("1.5")), ("-2e3", .decimal("-2e3")), ("true", .bool(true)),
    ("false", .bool(false)), ("[]", .array([])),
    ("[1, \"a\",\n # more\n [true],\n]", .array([.integer(1), .text("a"), .array([.bool(true)])])),
    (#""a\tb\"\u00e9\U0001F3B5""#, .text("a\tb\"é🎵")), (#"'C:\x'"#, .text(#"C:\x"#)),
    ("\"\"\"\none\ntwo \\\n   three\"\"\"", .text("one\ntwo three")),
    ("'''\na'b\\n'''", .text("a'b\\n")), ("\"\"\"a\"\"\"\"", .text("a\"")),
  ])
  func `values are read as they are written`(text: String, value: TOMLValue) throws {
    #expect(try read("a = \(text)\nb = 2") == ["a": value, "b": .integer(2)])
  }

  @Test func `a key is found by its line`() throws {
    let entries = try TOMLReader.read(Array("\n# x\na = [\n1]\nb = '''\n\n'''\n[c]\nd=1".utf8))
    #expect(entries.map(\.line) == [3, 5, 9])
  }

  @Test(arguments: [
    ("a", 1, "'=' is expected after a"), ("\na = ", 2, "a value is expected after '='"),
    ("a = loud", 1, "a value is expected after '=' (write \"loud\" for a text)"),
    ("a = 1\na = 2", 2, "a is there already"), ("[a]\n[a]", 2, "the table a is there already"),
    ("[a\n", 1, "']' is expected after a table's name"),
    ("a = 1 2", 1, "a line's end is expected here"),
    ("a = \"b", 1, "the text does not end"),
    ("a = \"b\n\"", 1, "the text does not end on its line"),
    ("a = [1", 1, "the list does not end"), ("[[a]]", 1, "arrays of tables are not used here"),
    ("a = \"\\q\"", 1, "'\\q' means nothing in a text ('\\\\' is one \\)"),
    ("a = 1979-05-27", 1, "a value is expected after '=' (write \"1979-05-27\" for a text)"),
    ("= 1", 1, "a name is expected here"),
  ])
  func `what is wrong is said with its line`(text: String, line: Int, reason: String) {
    let error = #expect(throws: TOMLError.self) { try read(text) }
    #expect(error?.line == line)
    #expect(error?.reason == reason)
  }

  @Test func `deep and cut documents end in an error and not in a crash`() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: TOMLError.self) { try read("a = \(deep)") }
    #expect(throws: TOMLError.self) {
      try TOMLReader.read([UInt8(ascii: "a"), UInt8(ascii: "="), UInt8(ascii: "'"), 0xFF])
    }
    let whole = Array("[a]\nb = { c = [1, \"x\\u00e9\"], d = '''y''' }\ne = 0x1F # z\n".utf8)
    for count in 0...whole.count {
      for change: UInt8? in [nil, 0x22, 0x27, 0x5B, 0x5C, 0x00] {
        let bytes = Array(whole.prefix(count)) + (change.map { [$0] } ?? [])
        do {
          _ = try TOMLReader.read(bytes)
        } catch {
          #expect(error.line >= 1 && !error.reason.isEmpty)
        }
      }
    }
  }
}
