// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SoundStreaming

/// References that are resolved relative to an address.
struct AddressReferenceTests {
  /// The examples of RFC 3986, 5.4, with a supported scheme.
  @Test(arguments: [
    ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"),
    ("g?y", "http://a/b/c/g?y"), ("g#s", "http://a/b/c/g"), (";x", "http://a/b/c/;x"),
    ("g;x?y#s", "http://a/b/c/g;x?y"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
    ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"),
    ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("/./g", "http://a/g"),
    ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), ("..g", "http://a/b/c/..g"),
    ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/../h", "http://a/b/c/h"),
    ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
  ])
  func `the examples of the standard are resolved`(reference: String, address: String) {
    #expect(AddressReference.address(reference, in: "http://a/b/c/d;p?q") == address)
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://a/b", "data:audio/aac,x", "mailto:x@y", "g h", ""])
  func `only web addresses are accepted`(reference: String) {
    #expect(AddressReference.address(reference, in: "http://a/b") == nil)
  }

  @Test func `a password is kept for its host only`() {
    let base = "https://user:word@a/b/list.m3u8"
    #expect(AddressReference.address("c.ts", in: base) == "https://user:word@a/b/c.ts")
    #expect(AddressReference.address("https://a/c.ts", in: base) == "https://user:word@a/c.ts")
    #expect(AddressReference.address("https://e/c.ts", in: base) == "https://e/c.ts")
    #expect(AddressReference.address("http://a/c.ts", in: base) == "http://a/c.ts")
  }
}
