// SPDX-License-Identifier: Apache-2.0
import TOMLText
import Testing

/// By TOML 1.0.0, String.
@Suite struct TOMLStringTests {
  private func read(_ text: String) throws -> TOMLValue? {
    try TOMLReader.read(Array("a = \(text)".utf8)).first?.value
  }

  @Test(arguments: [
    (#""""#, ""), (#""a\tb\"\u00e9\U0001F3B5""#, "a\tb\"é🎵"),
    (#""\b\t\n\f\r\"\\""#, "\u{8}\t\n\u{C}\r\"\\"),
    (#""\u0000""#, "\0"), ("\"tab\there\"", "tab\there"), ("\"é\u{80}\"", "é\u{80}"),
    (#"'C:\x'"#, #"C:\x"#), ("''", ""), (#"'<\i\c*\s*>'"#, #"<\i\c*\s*>"#), ("'a\tb'", "a\tb"),
    ("\"\"\"\"\"\"", ""), ("''''''", ""), ("\"\"\"\none\ntwo \\\n   three\"\"\"", "one\ntwo three"),
    ("\"\"\"\\\n  one \\  \t\n\n \r\n  two.\\\n  \"\"\"", "one two."), ("'''\na'b\\n'''", "a'b\\n"),
    ("\"\"\"a\"\"\"\"", "a\""), ("\"\"\"a\"\"\"\"\"", "a\"\""), ("\"\"\"\"a\"\"\"", "\"a"),
    ("\"\"\"\"\"a\"\"\"", "\"\"a"), ("\"\"\"\"\"\"\"", "\""), ("\"\"\"\"\"\"\"\"", "\"\""),
    ("'''a'''''", "a''"), ("''''a''''", "'a'"), ("\"\"\"a\"\"b\"\"\"", "a\"\"b"),
    ("\"\"\"a\\\"\"\"\"", "a\""), ("\"\"\"\r\na\r\nb\"\"\"", "a\r\nb"), ("'''\r\na'''", "a"),
    ("\"\"\"a\\\\\nb\"\"\"", "a\\\nb"), ("'''a\\\n b'''", "a\\\n b"),
    ("\"\"\"a\\u0062\"\"\"", "ab"),
  ])
  func `strings of TOML 1.0 are read`(text: String, value: String) throws {
    #expect(try read(text) == .text(value))
  }

  @Test(arguments: [
    ("\"b", 1, "\" is missing at the string's end"), ("'b", 1, "' is missing at the string's end"),
    ("\"b\n\"", 1, "\" is missing at the string's end (\"\"\" on both sides for several lines)"),
    ("'b\r\n'", 1, "' is missing at the string's end (''' on both sides for several lines)"),
    ("\n\"\"\"b\n\"\"", 1, "a value is missing after '='"),
    ("\"\"\"b\n\"\"", 1, "\"\"\" is missing at the end of this string"),
    ("'''b\n''", 1, "''' is missing at the end of this string"),
    ("\"\"\"\"\"\"\"\"\"", 1, "the line should end here (one key on each line)"),
    ("'''a''''''", 1, "the line should end here (one key on each line)"),
    (#""\q""#, 1, #"unknown escape \q (write \\ for a backslash, or use ' for the string)"#),
    (#""\é""#, 1, #"unknown escape \é (write \\ for a backslash, or use ' for the string)"#),
    (#""\e""#, 1, #"unknown escape \e (write \\ for a backslash, or use ' for the string)"#),
    (#""\ ""#, 1, #"unknown escape \ (write \\ for a backslash, or use ' for the string)"#),
    (
      "\"\"\"a\n\\ b\"\"\"", 2,
      #"unknown escape \ (write \\ for a backslash, or use ' for the string)"#
    ),
    (#""\u12""#, 1, #"\u needs 4 hexadecimal digits (0 to 9, a to f)"#),
    (#""\u+041""#, 1, #"\u needs 4 hexadecimal digits (0 to 9, a to f)"#),
    (#""\U0041""#, 1, #"\U needs 8 hexadecimal digits (0 to 9, a to f)"#),
    (#""\ud800""#, 1, "d800: not a Unicode character (0 to d7ff, e000 to 10ffff)"),
    (#""\U00110000""#, 1, "110000: not a Unicode character (0 to d7ff, e000 to 10ffff)"),
    ("\"\u{1B}\"", 1, #"a string contains the control character U+001B (write \u001B)"#),
    ("\"\u{7F}\"", 1, #"a string contains the control character U+007F (write \u007F)"#),
    ("\"a\rb\"", 1, #"a string contains the control character U+000D (write \u000D)"#),
    (
      "'\u{0}'", 1,
      #"a string contains the control character U+0000 (use a string in " with \u0000)"#
    ),
    ("\"\"\"\n\u{8}\"\"\"", 2, #"a string contains the control character U+0008 (write \u0008)"#),
    (
      "'''\n\u{1F}'''", 2,
      #"a string contains the control character U+001F (use a string in " with \u001F)"#
    ),
    (
      "\"\"\"a\rb\"\"\"", 1,
      "a carriage return without a line feed (end lines with a line feed)"
    ),
    (
      "\"\"\"a\\\n\u{1}\"\"\"", 2,
      #"a string contains the control character U+0001 (write \u0001)"#
    ),
  ])
  func `what a string cannot contain is an error with its line`(
    text: String, line: Int, reason: String
  ) {
    let error = #expect(throws: TOMLError.self) { try read(text) }
    #expect(error?.line == line)
    #expect(error?.reason == reason)
  }
}
