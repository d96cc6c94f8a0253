// SPDX-License-Identifier: Apache-2.0
import OpenSoundControl
import TestSupport
import Testing

@Suite struct OSCPatternTests {
  @Test(arguments: [
    ("/a/b", "/a/b", true), ("/a/b", "/a/c", false), ("/a/?", "/a/b", true),
    ("/a/?", "/a/", false), ("/a/?", "/a/bc", false), ("/a/*", "/a/", true),
    ("/a/*", "/a/bcd", true), ("/*", "/a/b", false), ("/*/*", "/a/b", true),
    ("/a/m*e", "/a/mute", true), ("/a/m*e", "/a/muted", false), ("/a/*u*e*", "/a/unmute", true),
    ("/a/[a-c]", "/a/b", true), ("/a/[c-a]", "/a/b", true), ("/a/[!a-c]", "/a/b", false),
    ("/a/[!a-c]", "/a/d", true), ("/a/[a-]", "/a/-", true), ("/a/[x!]", "/a/!", true),
    ("/a/{higher,lower}", "/a/lower", true), ("/a/{higher,lower}", "/a/low", false),
    ("/a/{lo,low}er", "/a/lower", true), ("/a/{,un}mute", "/a/mute", true),
    ("/a/{,un}mute", "/a/unmute", true), ("/{a,b}/*", "/b/c", true), ("/a/[]x", "/a/x", false),
  ])
  func `a pattern matches as the specification requires`(
    pattern: String, address: String, isMatch: Bool
  ) throws {
    #expect(try #require(OSCPattern(pattern)).matches(address) == isMatch)
  }

  @Test func `a bracket that is not closed makes none, and neither does length`() {
    for text in ["/a/[b", "/a/{b", "/a/b]", "/a/b}", "/a/{b/c}"] {
      #expect(OSCPattern(text) == nil, "\(text)")
    }
    #expect(OSCPattern("/" + String(repeating: "*", count: 255)) != nil)
    #expect(OSCPattern("/" + String(repeating: "*", count: 256)) == nil)
    #expect(OSCPattern.isPattern("/a*") && !OSCPattern.isPattern("/a-b"))
  }

  @Test func `many stars take no longer than their number`() throws {
    let pattern = try #require(OSCPattern("/" + String(repeating: "*a", count: 120) + "b"))
    #expect(!pattern.matches("/" + String(repeating: "a", count: 4000)))
  }

  /// By chance: `*` for any part of an address, `?` for any byte, matches it.
  @Test func `what is made from an address matches it`() throws {
    var random = SplitMix(seed: 4)
    for _ in 0..<2000 {
      let parts = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        String(
          (0..<Int.random(in: 0...8, using: &random)).map { _ in
            "abc-".randomElement(using: &random) ?? "a"
          })
      }
      let pattern = parts.map { part in
        var made = part.map { Int.random(in: 0..<4, using: &random) == 0 ? "?" : "\($0)" }
        if Bool.random(using: &random) {
          let place = Int.random(in: 0...made.count, using: &random)
          made.replaceSubrange(
            place..<Int.random(in: place...made.count, using: &random), with: ["*"])
        }
        return made.joined()
      }
      let address = "/" + parts.joined(separator: "/")
      let text = "/" + pattern.joined(separator: "/")
      #expect(try #require(OSCPattern(text)).matches(address), "\(text) \(address)")
    }
  }
}
