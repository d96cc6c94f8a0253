// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TerminalViews

/// The colours of tones, and the names of keys.
@Suite struct PaletteTests {
  @Test func `a tone is shown in the colour that it was given`() {
    var palette = Palette()
    #expect(CellStyle(.accent).sequence(palette) == "\u{1B}[0;36m")
    #expect(CellStyle(.accent).sequence(nil) == "\u{1B}[0m")
    for (name, code) in [
      ("red", ";31"), ("bright-black", ";90"), ("bright-white", ";97"), ("208", ";38;5;208"),
      ("default", ""),
    ] {
      let isKnown = palette.setColor(of: .accent, to: name)
      #expect(isKnown)
      #expect(CellStyle(.accent).sequence(palette) == "\u{1B}[0\(code)m")
    }
    for name in ["", "pink", "256", "-1", "Red"] {
      let isKnown = palette.setColor(of: .bad, to: name)
      #expect(!isKnown)
    }
    #expect(CellStyle(.bad).sequence(palette) == "\u{1B}[0;31m")
  }

  @Test(arguments: [
    ("x", Keystroke.text("x")), ("X", .text("X")), ("é", .text("é")), ("Space", .text(" ")),
    ("pgup", .pageUp), ("Ctrl-L", .text("\u{C}")), ("ctrl-a", .text("\u{1}")),
    ("Shift-Left", .shiftLeft), ("=", .text("=")),
  ])
  func `a key has a name`(name: String, key: Keystroke) {
    #expect(Keystroke(name: name) == key)
    #expect(key.name.lowercased() == name.lowercased())
  }

  @Test(arguments: ["", " ", "xy", "Ctrl-", "Ctrl-1", "F1", "\u{1}"])
  func `other texts are not keys`(name: String) {
    #expect(Keystroke(name: name) == nil)
  }
}
