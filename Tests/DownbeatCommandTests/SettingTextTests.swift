// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import DownbeatCommand

@Suite struct SettingTextTests {
  /// Returns a text after a setting was changed; nil if the change is refused.
  private func set(_ key: String, _ value: String, in text: String) throws -> String? {
    var setting = try SettingText(Array(text.utf8))
    guard try setting.set(SettingKey(parsing: key), to: value) else { return nil }
    return String(decoding: setting.bytes, as: UTF8.self)
  }

  @Test(arguments: [
    ("", "a = 1\n"), ("# Mine\n", "# Mine\na = 1\n"),
    ("# Mine\n\n# The stage\n[play]\n", "# Mine\na = 1\n\n# The stage\n[play]\n"),
    ("b = 2\n\n# At\n# night\n[play]\n", "b = 2\na = 1\n\n# At\n# night\n[play]\n"),
    ("# Mine\n[play]\n", "# Mine\na = 1\n[play]\n"),
    ("b = 2\n# Old\n\n[play]\n", "b = 2\n# Old\na = 1\n\n[play]\n"),
  ])
  func `the comment above a table stays with it`(old: String, new: String) throws {
    #expect(try set("a", "1", in: old) == new)
  }

  @Test(arguments: [
    ("[keys]\n\"=\" = \"louder\"\n", "keys.=", "[keys]\n\"=\" = 1\n"),
    ("a = \"#=\" # b = 2\n", "a", "a = 1  # b = 2\n"), ("a=2#b\n", "a", "a= 1  #b\n"),
  ])
  func `a name, a value and a comment may contain the signs between them`(
    old: String, key: String, new: String
  ) throws {
    #expect(try set(key, "1", in: old) == new)
  }

  @Test(arguments: ["a = [\n  2,\n]\n", "t = \"\"\"\n[x]\n\"\"\"\na.b = 1\n", "a = { b = 1 }\n"])
  func `a setting of more than one line is refused`(old: String) throws {
    #expect(try set("a", "1", in: old) == nil)
  }
}
