// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import PlayerControl

@Suite struct FileAddressTests {
  @Test(arguments: [
    ("a.mid", "", "a.mid"), ("a.mid", "/m/", "/m/a.mid"), ("../a.mid", "m/", "m/../a.mid"),
    ("/x/a.mid", "/m/", "/x/a.mid"), ("-", "", "./-"), ("-", "m/", "m/-"),
    ("file:///x/a%20b.mid", "/m/", "/x/a b.mid"), ("FILE://LocalHost/x%C3%A9", "", "/xé"),
    ("file:/x%25", "", "/x%"), ("file:///x%E9", "", "/x\u{10FEE9}"), ("C:\\a.mid", "", "C:\\a.mid"),
    ("a:b.mid", "", "a:b.mid"), ("file:a", "", "file:a"), ("a%20b", "", "a%20b"),
  ])
  func `a path or a file address gives a path`(name: String, folder: String, path: String) throws {
    #expect(try FileAddress(name, in: folder).path == path)
  }

  @Test(arguments: [
    ("http://x/a.mid", FileAddress.Trouble.remote(scheme: "http")),
    ("file://other/a.mid", .foreign(host: "other")), ("file:///a%2", .malformed),
    ("file:///a%zz", .malformed), ("file:///%+1", .malformed), ("file:///a%00.mid", .zeroByte),
    ("a\u{0}b", .zeroByte),
  ])
  func `other addresses are refused`(name: String, trouble: FileAddress.Trouble) {
    #expect(throws: trouble) { try FileAddress(name, in: "") }
  }
}
