// SPDX-License-Identifier: Apache-2.0
import TerminalViews
import TestSupport
import Testing

@Suite struct KeyParserTests {
  private static let known: [(String, [Keystroke])] = [
    ("a", [.text("a")]), ("é", [.text("é")]), ("日", [.text("日")]), ("𝄞", [.text("𝄞")]),
    (" ", [.text(" ")]), ("\r", [.enter]), ("\n", [.enter]), ("\t", [.tab]),
    ("\u{7F}", [.backspace]),
    ("\u{8}", [.backspace]), ("\u{1B}[A", [.up]), ("\u{1B}OB", [.down]), ("\u{1B}[C", [.right]),
    ("\u{1B}OD", [.left]), ("\u{1B}[1;2C", [.shiftRight]), ("\u{1B}[1;2D", [.shiftLeft]),
    ("\u{1B}[1;2A", [.shiftUp]), ("\u{1B}[c", [.shiftRight]), ("\u{1B}[1;5C", [.right]),
    ("\u{1B}[H", [.home]), ("\u{1B}OF", [.end]), ("\u{1B}[1~", [.home]), ("\u{1B}[4~", [.end]),
    ("\u{1B}[5~", [.pageUp]), ("\u{1B}[6~", [.pageDown]), ("\u{1B}[3~", [.delete]),
    ("\u{1B}[Z", [.backTab]), ("\u{1B}[<0;11;3M", [.click(column: 10, row: 2)]),
    ("\u{1B}[<0;11;3m", []), ("\u{1B}[<64;1;1M", [.wheelUp]), ("\u{1B}[<65;1;1M", [.wheelDown]),
    ("\u{1B}[<2;1;1M", []), ("\u{1B}[M +#", [.click(column: 10, row: 2)]), ("\u{1B}[[A", []),
    ("\u{1B}[15~", []), ("\u{1B}x", []),
    ("\u{1}", [.text("\u{1}")]),
  ]

  @Test func `each sequence is recognised as its key`() {
    for (bytes, keys) in Self.known {
      var parser = KeyParser()
      #expect(parser.take(bytes.utf8) == keys, "\(bytes.debugDescription)")
      #expect(!parser.isWaiting, "\(bytes.debugDescription)")
    }
  }

  @Test func `single bytes are parsed as the same keys`() {
    var parser = KeyParser()
    for (bytes, keys) in Self.known {
      #expect(bytes.utf8.flatMap { parser.take([$0]) } == keys, "\(bytes.debugDescription)")
    }
  }

  @Test func `an escape is a key if no byte follows in time`() {
    var parser = KeyParser()
    #expect(parser.take([0x1B]).isEmpty)
    #expect(parser.isWaiting)
    #expect(parser.pause() == [.escape])
    #expect(parser.take("[A".utf8) == [.text("["), .text("A")])
    #expect(parser.take([0x1B, 0x1B]) == [.escape])
    #expect(parser.pause() == [.escape])
  }

  @Test func `pasted text is not read as keys`() {
    var parser = KeyParser()
    let text = "q\u{1B}[200~quit q \u{1B}[20 \u{1B}\u{1B}[201~p"
    #expect(parser.take(text.utf8) == [.text("q"), .text("p")])
    #expect(text.utf8.flatMap { parser.take([$0]) } == [.text("q"), .text("p")])
  }

  @Test func `a paste without an end ends after a pause`() {
    var parser = KeyParser()
    #expect(parser.take("\u{1B}[200~abc".utf8).isEmpty)
    #expect(parser.isPasting)
    #expect(parser.pause().isEmpty)
    #expect(parser.take("q".utf8) == [.text("q")])
  }

  @Test func `after any bytes, letters are keys again`() {
    var random = SplitMix(seed: 7)
    let likely = Array("\u{1B}[O<;0123456789Mm~ABCD2".utf8) + [0x1B, 0x1B, 0xC3, 0xE2, 0xFF, 0x9B]
    for _ in 0..<2000 {
      var parser = KeyParser()
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        Bool.random(using: &random)
          ? likely.randomElement(using: &random)! : UInt8.random(in: 0...255, using: &random)
      }
      _ = parser.take(bytes)
      _ = parser.pause()
      #expect(parser.take("x".utf8) == [.text("x")])
    }
  }
}
