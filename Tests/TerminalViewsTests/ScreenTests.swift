// SPDX-License-Identifier: Apache-2.0
import TerminalViews
import TestSupport
import Testing

@Suite struct ScreenTests {
  private let utf8 = TerminalAbilities()

  @Test func `text that does not fit is cut and marked`() {
    var screen = Screen(TerminalSize(columns: 8, rows: 2))
    #expect(screen.write("harmonium", row: 0, column: 0) == 8)
    #expect(screen.text(row: 0) == "harmoni…")
    #expect(screen.write("ab", row: 1, column: 3, end: 5) == 5)
    #expect(screen.text(row: 1) == "   ab")
  }

  @Test func `a wide character is drawn in both columns, or not at all`() {
    var screen = Screen(TerminalSize(columns: 5, rows: 3))
    screen.write("日本語", row: 0, column: 0)
    #expect(screen.text(row: 0) == "日本…")
    screen.write("日本", row: 1, column: 0)
    screen.write("x", row: 1, column: 1)
    #expect(screen.text(row: 1) == " x本")
    screen.write("日本", row: 2, column: 0)
    screen.write("語", row: 2, column: 1)
    #expect(screen.text(row: 2) == " 語")
  }

  @Test func `at most two marks are drawn on a letter, and control characters as bytes`() {
    var screen = Screen(TerminalSize(columns: 40, rows: 2))
    screen.write("e\u{301}\u{302}\u{303}\u{304}x", row: 0, column: 0)
    #expect(screen.text(row: 0).unicodeScalars.count == 4)
    screen.write("a\u{1B}[2Jb\u{202E}c\u{200D}d\n", row: 1, column: 0)
    #expect(screen.text(row: 1) == "a\\x1B[2Jb\\xE2\\x80\\xAEcd\\x0A")
  }

  @Test func `the difference changes one picture to the other on a terminal`() {
    var random = SplitMix(seed: 3)
    let pieces = ["abc", "日本", "e\u{301}", "—", "x", "ｱ", "  ", "🎹", "\u{1B}[31m", "━━━━━"]
    let size = TerminalSize(columns: 17, rows: 4)
    var terminal = TerminalPicture(columns: 17, rows: 4)
    var shown: Screen?
    for _ in 0..<300 {
      var screen = Bool.random(using: &random) ? shown ?? Screen(size) : Screen(size)
      for _ in 0..<6 {
        screen.write(
          pieces.randomElement(using: &random)!, row: Int.random(in: 0..<4, using: &random),
          column: Int.random(in: 0..<17, using: &random),
          CellStyle(.good, bold: Bool.random(using: &random)))
      }
      terminal.write(ScreenEncoder.bytes(from: shown, to: screen, utf8))
      shown = screen
      #expect(terminal.lines.map { $0 + "\n" }.joined() == screen.text)
      #expect(terminal.overruns.isEmpty && terminal.unknown.isEmpty)
    }
  }

  @Test func `equal pictures need zero bytes, and a change of one letter needs a few`() {
    var screen = Screen(TerminalSize(columns: 200, rows: 60))
    for row in 0..<60 { screen.write(String(repeating: "abc ", count: 50), row: row, column: 0) }
    #expect(ScreenEncoder.bytes(from: screen, to: screen, utf8).isEmpty)
    var next = screen
    next.write("X", row: 30, column: 100)
    #expect(ScreenEncoder.bytes(from: screen, to: next, utf8).count < 24)
  }

  @Test func `without UTF-8 only ASCII is written, without colours no colour`() {
    var screen = Screen(TerminalSize(columns: 20, rows: 1))
    screen.write("━● Café 日 e\u{301}", row: 0, column: 0, CellStyle(.bad))
    let plain = TerminalAbilities(hasColor: false, isUnicode: false)
    let bytes = ScreenEncoder.bytes(from: nil, to: screen, plain)
    #expect(bytes.allSatisfy { $0 < 0x80 })
    var terminal = TerminalPicture(columns: 20, rows: 1)
    terminal.write(bytes)
    #expect(terminal.lines == ["=* Caf? ?  e"])
    #expect(!terminal.hasColor)
  }

  @Test(arguments: [
    ("abcdefgh", 8, "abcdefgh"), ("abcdefgh", 7, "abc…fgh"), ("abcdefgh", 4, "ab…h"),
    ("abcdefgh", 2, "a…"), ("abcdefgh", 1, "…"), ("abcdefgh", 0, ""), ("歌歌歌歌", 6, "歌…歌"),
    ("e\u{301}e\u{301}e\u{301}e\u{301}", 3, "e\u{301}…e\u{301}"),
  ])
  func `a name is shortened in its middle`(name: String, limit: Int, shown: String) {
    #expect(TextWidth.shortened(name, to: limit) == shown)
    #expect(TextWidth.columns(TextWidth.shortened(name, to: limit)) <= max(0, limit))
  }
}
