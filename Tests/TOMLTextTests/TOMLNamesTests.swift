// SPDX-License-Identifier: Apache-2.0
import TOMLText
import Testing

/// By TOML 1.0.0, Keys, Table and Inline Table: a name is defined once, and a table in one place.
@Suite struct TOMLNamesTests {
  @Test(arguments: [
    ("a = 1\na = 2", 2, "a is defined twice (delete or rename one)"),
    ("a = 1\n\"a\" = 2", 2, "a is defined twice (delete or rename one)"),
    ("a.b = 1\n'a' . b = 2", 2, "a.b is defined twice (delete or rename one)"),
    ("a = 1\na.b = 2", 2, "a has a value, so it cannot be a table"),
    ("a.b = 1\na.b.c = 2", 2, "a.b has a value, so it cannot be a table"),
    ("a.b = 1\na = 2", 2, "a is defined twice (delete or rename one)"),
    ("[a]\n[a]", 2, "a is defined twice (delete or rename one)"),
    ("[a]\nb = 1\n[a]\nc = 2", 3, "a is defined twice (delete or rename one)"),
    ("[a]\nb = 1\n[a.b]", 3, "a.b is defined twice (delete or rename one)"),
    ("[a]\nb = 1\n[a.b.c]", 3, "a.b has a value, so it cannot be a table"),
    ("[a.b]\n[a]\nb = 1", 3, "a.b is defined twice (delete or rename one)"),
    ("a = 1\n[a]", 2, "a is defined twice (delete or rename one)"),
    ("a.b = 1\n[a]", 2, "a is defined twice (delete or rename one)"),
    ("[a]\nb.c = 1\n[a.b]", 3, "a.b is defined twice (delete or rename one)"),
    ("[a.b.c]\n[a]\nb.d = 1\n[a.b]", 4, "a.b is defined twice (delete or rename one)"),
    (
      "[a.b.c]\nz = 9\n[a]\nb.c.t = 1", 4,
      "a.b.c is defined by a header (write this key below [a.b.c])"
    ),
    ("[a.b]\n[a]\nb.c = 1", 3, "a.b is defined by a header (write this key below [a.b])"),
    ("a = {}\na.b = 1", 2, "a is an inline table (write all of its keys in its { })"),
    ("a = {}\n[a]", 2, "a is defined twice (delete or rename one)"),
    ("a = {}\na = 1", 2, "a is defined twice (delete or rename one)"),
    ("a = {b = {}}\n[a.b.c]", 2, "a is an inline table (write all of its keys in its { })"),
    ("a.b = 1\na = {c = 2}", 2, "a is defined twice (delete or rename one)"),
    ("a = {b = 1, b = 2}", 1, "a.b is defined twice (delete or rename one)"),
    ("a = {b.c = 1, b = 2}", 1, "a.b is defined twice (delete or rename one)"),
    ("a = {b = {c = 1}, b.d = 2}", 1, "a.b is an inline table (write all of its keys in its { })"),
    ("[a]\nb = {c = 1}\nb.d = 2", 3, "a.b is an inline table (write all of its keys in its { })"),
  ])
  func `a name that is defined twice is an error`(text: String, line: Int, reason: String) {
    let error = #expect(throws: TOMLError.self) { try TOMLReader.read(Array(text.utf8)) }
    #expect(error?.line == line)
    #expect(error?.reason == reason)
  }

  @Test func `a long name of a table costs each key below it nothing`() throws {
    let table = String(repeating: "a", count: 100_000)
    let keys = (0..<10_000).map { "k\($0) = 1" }.joined(separator: "\n")
    #expect(try TOMLReader.read(Array("[\(table)]\n\(keys)".utf8)).count == 10_000)
  }
}
