// SPDX-License-Identifier: Apache-2.0
import Foundation
import TerminalViews
import TestSupport
import Testing

@Suite struct LiveViewTests {
  private static let hostile = [
    "Für Elise", "", "日本語の歌日本語の歌日本語の歌日本語の歌日本語の歌日本語の歌", "\u{1B}[2J\u{1B}]0;x\u{7}\r\n\t\u{9B}1m",
    "\u{202E}txt.exe\u{2066}a\u{2069}", "Z" + String(repeating: "\u{301}\u{489}", count: 50) + "a",
    "\u{301}\u{302}", "👩‍👩‍👧‍👦🇩🇪❤️🎹", "हिन्दी नमस्ते ᄒ\u{1161}\u{11AB}", String(repeating: "long ", count: 80),
    "\u{FEFF}\u{200B}\u{AD}x\u{0}",
  ]

  private static func state(_ text: String) -> LiveState {
    var state = LiveSample.state
    state.title = text
    state.message = text
    state.fields[0].value = text
    state.channels[1].name = text
    state.bar?.markers.append(.init(text, at: 0.97))
    state.words[1] = .init(sung: text, rest: text, isCurrent: true)
    return state
  }

  /// Small sizes, and larger ones in steps.
  ///
  /// All sizes from one cell to 200×60 would be too many.
  private static let sizes: [TerminalSize] = {
    let columns = Array(1...22) + [30, 36, 44, 60, 80, 120, 200]
    return columns.flatMap { columns in
      (Array(1...9) + [12, 14, 20, 24, 40, 60]).map { TerminalSize(columns: columns, rows: $0) }
    }
  }()

  @Test(arguments: hostile)
  func `nothing is drawn outside the picture, at any size and with any text`(text: String) {
    var state = Self.state(text)
    for (index, size) in Self.sizes.enumerated() {
      state.help = index % 3 == 0 ? LiveSample.help : nil
      if index % 5 == 0 { state.message = "" }
      let screen = LiveView(state, size).screen
      #expect(screen.size == size)
      var terminal = TerminalPicture(columns: size.columns, rows: size.rows)
      terminal.write(ScreenEncoder.bytes(from: nil, to: screen, TerminalAbilities()))
      #expect(terminal.overruns.isEmpty, "\(size): \(terminal.overruns)")
      #expect(terminal.unknown.isEmpty, "\(size): \(terminal.unknown)")
      for row in 0..<size.rows {
        #expect(TextWidth.columns(screen.text(row: row)) <= size.columns)
      }
    }
  }

  @Test func `NaN and infinite numbers do not draw outside the picture`() {
    var state = LiveSample.state
    state.bar = .init(
      position: .nan, markers: [.init("a", at: .infinity), .init("b", at: -3)], first: 7,
      last: -.infinity)
    state.channels[0].level = .nan
    state.channels[1].level = -1
    state.channels[2].level = 9
    state.selected = 15
    for size in Self.sizes { #expect(LiveView(state, size).screen.size == size) }
  }

  @Test func `the position is shown on the smallest terminal`() {
    for columns in 20...30 {
      for rows in 1...6 {
        let text = LiveView(LiveSample.state, TerminalSize(columns: columns, rows: rows)).screen
          .text
        #expect(text.contains("1:23 / 3:45"), "\(columns)×\(rows): \(text)")
      }
    }
  }

  @Test func `a cell of the bar is a fraction of the song`() {
    let view = LiveView(LiveSample.state, TerminalSize(columns: 81, rows: 24))
    #expect(view.fraction(column: 0, row: 2) == 0)
    #expect(view.fraction(column: 40, row: 2) == 0.5)
    #expect(view.fraction(column: 80, row: 2) == 1)
    #expect(view.fraction(column: 81, row: 2) == nil)
    #expect(view.fraction(column: 40, row: 3) == nil)
  }

  @Test func `the selected channel is shown if not all channels fit`() {
    var state = LiveSample.state
    for selected in 0..<16 {
      state.selected = selected
      let text = LiveView(state, TerminalSize(columns: 30, rows: 12)).screen.text
      #expect(text.contains(state.channels[selected].name.prefix(6)), "\(selected): \(text)")
    }
  }

  /// `DOWNBEAT_KEEP_VIEWS=1 swift test --filter LiveViewTests` writes the current pictures.
  @Test(arguments: [(80, 24), (120, 40)])
  func `the pictures in the documentation are up to date`(columns: Int, rows: Int) throws {
    let file = ToolRun.packageFolder.appendingPathComponent(
      "Documentation/LiveView-\(columns)x\(rows).txt")
    let text = LiveView(LiveSample.state, TerminalSize(columns: columns, rows: rows)).screen.text
    if ProcessInfo.processInfo.environment["DOWNBEAT_KEEP_VIEWS"] != nil {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
  }

  @Test(arguments: [TerminalSize(columns: 40, rows: 12), TerminalSize(columns: 80, rows: 24)])
  func `a clock fits in large digits, with its tempo and hint`(size: TerminalSize) {
    var state = LiveState()
    state.title = "midi:UM-ONE"
    state.time = "120.00 bpm"
    state.large = ["133|4|479", "00:01:23:12"]
    state.hint = "? keys   q quit"
    let text = LiveView(state, size).screen.text
    for row in state.large.flatMap(LargeDigits.rows) where row.contains("█") {
      #expect(text.contains(row.trimmingCharacters(in: .whitespaces)), "\(text)")
    }
    #expect(text.contains("120.00 bpm") && text.contains("q quit"))
  }

  @Test func `a clock on a small terminal has small digits`() {
    var state = LiveState()
    state.large = ["133|4|479", "00:01:23:12"]
    let text = LiveView(state, TerminalSize(columns: 30, rows: 6)).screen.text
    #expect(text.contains("133|4|479\n00:01:23:12"), "\(text)")
  }

  @Test(arguments: [TerminalSize(columns: 40, rows: 12), TerminalSize(columns: 80, rows: 24)])
  func `all keys are shown, on several pages if necessary`(size: TerminalSize) {
    var state = LiveSample.state
    let keys = (1...30).map { LiveState.KeyHelp("k\($0).", "action \($0).") }
    state.help = keys
    let pageCount = LiveView(state, size).pageCount
    #expect(pageCount == (size.rows == 12 ? 4 : 1))
    var shown = ""
    for page in 0..<pageCount {
      state.helpPage = page
      shown += LiveView(state, size).screen.text
    }
    for key in keys { #expect(shown.contains(key.action), "\(key.action)") }
    #expect(pageCount == 1 || shown.contains("page 4 of 4"))
  }

  @Test(arguments: [TerminalSize(columns: 40, rows: 12), TerminalSize(columns: 80, rows: 24)])
  func `the description of a key is never cut off`(size: TerminalSize) {
    var state = LiveSample.state
    state.help = LiveSample.help
    let pageCount = LiveView(state, size).pageCount
    let pages = (0..<pageCount).map { page in
      state.helpPage = page
      return LiveView(state, size).screen.text
    }
    let text = pages.joined()
    for word in ["what", "number", "does"] {
      #expect(text.components(separatedBy: word).count == 29, "\(word): \(text)")
    }
  }

  @Test func `arrows have ASCII signs`() {
    var screen = Screen(TerminalSize(columns: 10, rows: 1))
    screen.write("← → ↑ ↓", row: 0, column: 0)
    let ascii = TerminalAbilities(isUnicode: false)
    var terminal = TerminalPicture(columns: 10, rows: 1)
    terminal.write(ScreenEncoder.bytes(from: nil, to: screen, ascii))
    #expect(terminal.text.contains("< > ^ v"), "\(terminal.text)")
  }
}
