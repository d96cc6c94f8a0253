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
    #expect(try read("a = { b.c = 1, b.d = \"x\" }") == expected)
    #expect(try read("[a]\r\n\"b\".c = 1\r\nb . 'd' = \"x\"\r\n") == expected)
  }

  @Test(arguments: [
    ("true", TOMLValue.bool(true)), ("false", .bool(false)), ("[]", .array([])),
    ("[1, \"a\",\n # more\n [true],\n]", .array([.integer(1), .text("a"), .array([.bool(true)])])),
    (
      "[ [ 1, 2 ], [\"a\", 'b'] , ]",
      .array([.array([.integer(1), .integer(2)]), .array([.text("a"), .text("b")])])
    ),
  ])
  func `values are read as they are written`(text: String, value: TOMLValue) throws {
    #expect(try read("a = \(text)\nb = 2") == ["a": value, "b": .integer(2)])
  }

  @Test(arguments: [
    "", "\n", "\r\n", "# only\u{9}a comment é", "\u{FEFF}a = 1", " \t a\t=\t1 \t# x", "a=1\r\n",
    "a = {}", "[a]", "[ a . b ]", "[a]\n[a.b]\n[a.c]", "[a.b.c]\n[a]\nx = 1", "[a.b]\n[a]",
    "[x.y.z.w]\n[x]", "[j . \"ʞ\" . 'l']", "[a]\nb.c = 1\nb.d = 2\n[a.b.e]", "\"\" = 1", "'' = 1",
    "1234 = 1", "bare_key-1 = 1", "3.14159 = 1", "a . b\t. c = 1", "\"a\\u0041\" = 1", "a = [\n\n]",
    "a.b = 1\nc = 2\na.d = 3", "true = 1", "- = 1", "a = {b = [1,\n2]}", "a = { b = '''\n''' }",
    "a = [ # x\n1 # y\n, # z\n2]",
  ])
  func `what TOML 1.0 allows is read`(text: String) {
    #expect(throws: Never.self) { try read(text) }
  }

  @Test func `a key is found by its line`() throws {
    let entries = try TOMLReader.read(Array("\n# x\na = [\n1]\nb = '''\n\n'''\n[c]\nd=1".utf8))
    #expect(entries.map(\.line) == [3, 5, 9])
  }

  @Test(arguments: [
    ("a", 1, "'=' is missing after a"), ("\na = ", 2, "a value is missing after '='"),
    ("a = # x", 1, "a value is missing after '='"), ("a = [,]", 1, "a value is missing here"),
    ("a = loud", 1, "loud: not a value (write \"loud\" for a string)"),
    ("a = True", 1, "True: must be lower case (write true)"),
    ("[a\n", 1, "']' is missing after a table's name"), ("[]", 1, "a name is missing here"),
    ("[a.]", 1, "a name is missing here"), ("[.a]", 1, "a name is missing here"),
    ("a..b = 1", 1, "a name is missing here"), ("a\n= 1", 1, "'=' is missing after a"),
    ("a b = 1", 1, "'=' is missing after a"),
    ("a = 1 2", 1, "the line should end here (one key on each line)"),
    ("a = 1 b = 2", 1, "the line should end here (one key on each line)"),
    ("[a] b = 1", 1, "the line should end here (one key on each line)"),
    ("a = [1", 1, "']' is missing at the array's end"),
    ("a = [1 2]", 1, "',' or ']' is missing in the array"),
    ("[[a]]", 1, "arrays of tables are not supported (write [name])"),
    ("a = [{b = 1}]", 1, "tables in arrays are not supported"),
    ("= 1", 1, "a name is missing here"),
    (
      "é = 1", 1,
      "a name is missing here (names with letters other than a to z need quotation marks)"
    ),
    (
      "\"\"\"a\"\"\" = 1", 1,
      "a key cannot span several lines (use one quotation mark on each side)"
    ),
    ("'''a''' = 1", 1, "a key cannot span several lines (use one quotation mark on each side)"),
    ("a = {b = 1,}", 1, "',' is not allowed before '}' (delete it)"),
    ("a = {,}", 1, "a name is missing here"),
    ("a = {b = 1 c = 2}", 1, "',' or '}' is missing here"),
    ("a = {b = 1", 1, "the { } of a must end on its line (write a [table] for several lines)"),
    ("a = {\nb = 1}", 1, "the { } of a must end on its line (write a [table] for several lines)"),
    (
      "a = {b = 1,\n c = 2}", 1,
      "the { } of a must end on its line (write a [table] for several lines)"
    ),
    (
      "a = {b = 1 # x\n}", 1,
      "the { } of a must end on its line (write a [table] for several lines)"
    ),
    ("a = 1\n# \u{1}", 2, "a comment contains the control character U+0001 (delete it)"),
    ("# a\rb", 1, "a comment contains the control character U+000D (delete it)"),
    ("# \u{7F}", 1, "a comment contains the control character U+007F (delete it)"),
    ("a = 1\r", 1, "a carriage return without a line feed (end lines with a line feed)"),
    ("a = 1\rb = 2", 1, "a carriage return without a line feed (end lines with a line feed)"),
  ])
  func `each error has a line and gives the right spelling`(text: String, line: Int, reason: String)
  {
    let error = #expect(throws: TOMLError.self) { try read(text) }
    #expect(error?.line == line)
    #expect(error?.reason == reason)
  }

  @Test(arguments: [
    ([0x61, 0x3D, 0x27, 0xFF, 0x27], 1), ([0x23, 0x0A, 0x23, 0xC3, 0x0A, 0x61], 2),
    ([0x0A, 0x0A, 0x23, 0xED, 0xA0, 0x80], 3), ([0xC0, 0x80], 1),
  ])
  func `bytes that are not UTF-8 are found by their line`(bytes: [UInt8], line: Int) {
    let error = #expect(throws: TOMLError.self) { try TOMLReader.read(bytes) }
    #expect(error?.line == line)
    #expect(error?.reason == "not UTF-8 (save the file as UTF-8)")
  }

  @Test func `deep and cut documents end in an error and not in a crash`() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: TOMLError.self) { try read("a = \(deep)") }
    #expect(throws: TOMLError.self) { try read(String(repeating: "a.", count: 100_000) + "b = 1") }
    #expect(throws: TOMLError.self) { try read(String(repeating: "a={", count: 100_000)) }
    let whole = Array("[a]\nb = { c = [1, \"x\\u00e9\"], d = '''y''' }\ne = 0x1F # z\n".utf8)
    for count in 0...whole.count {
      for change: UInt8? in [nil, 0x0D, 0x22, 0x27, 0x2E, 0x5B, 0x5C, 0x00] {
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
