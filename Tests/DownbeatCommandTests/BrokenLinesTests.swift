// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import CommandKit

@Suite struct BrokenLinesTests {
  @Test(arguments: [
    (
      "  length    2:51.203 (171.2 s, 112320 ticks)",
      ["  length    2:51.203 (171.2 s,", "            112320 ticks)"]
    ),
    ("short", ["short"]), ("", [""]),
    (
      "            $ sudo modprobe snd-hrtimer and more",
      ["            $ sudo modprobe snd-hrtimer and more"]
    ),
    ("one two three four five six seven", ["one two three four five six", "    seven"]),
    (
      "/a/very/long/path/without/any/space/in/it.mid: MIDI",
      ["/a/very/long/path/without/any/space/in/it.mid:", "    MIDI"]
    ),
  ])
  func `a line is broken between words, below a column`(line: String, parts: [String]) {
    #expect(BrokenLines.broken(line, to: 30) == parts)
  }

  @Test func `all words are kept at any width`() {
    let line = "  problem  default device  none (to write a sound file instead: downbeat render)"
    for width in 1...100 {
      let parts = BrokenLines.broken(line, to: width)
      #expect(
        parts.joined(separator: " ").split(separator: " ") == line.split(separator: " "), "\(width)"
      )
    }
  }
}
