// SPDX-License-Identifier: Apache-2.0
import TerminalViews
import Testing

@Suite struct TerminalAbilitiesTests {
  private func abilities(
    _ variables: [String: String], _ color: TerminalAbilities.ColorChoice = .auto
  ) -> TerminalAbilities {
    TerminalAbilities(variables: variables, color: color)
  }

  @Test func `a terminal that is dumb or without a name is not used for drawing`() {
    #expect(!abilities([:]).steers)
    #expect(!abilities(["TERM": ""]).steers)
    #expect(!abilities(["TERM": "dumb"]).steers)
    #expect(abilities(["TERM": "xterm"]).steers)
  }

  @Test func `colours are those of the terminal, the user and the flag`() {
    #expect(abilities(["TERM": "xterm-256color"]).hasColor)
    #expect(abilities(["TERM": "linux"]).hasColor)
    #expect(!abilities(["TERM": "vt100"]).hasColor)
    #expect(abilities(["TERM": "vt100", "COLORTERM": "truecolor"]).hasColor)
    #expect(!abilities(["TERM": "xterm", "NO_COLOR": "1"]).hasColor)
    #expect(abilities(["TERM": "xterm", "NO_COLOR": ""]).hasColor)
    #expect(abilities(["TERM": "xterm", "NO_COLOR": "1"], .always).hasColor)
    #expect(!abilities(["TERM": "xterm", "COLORTERM": "24bit"], .never).hasColor)
  }

  @Test func `the first locale variable that is set is used`() {
    #expect(!abilities([:]).isUnicode)
    #expect(abilities(["LANG": "de_DE.UTF-8"]).isUnicode)
    #expect(abilities(["LANG": "C", "LC_CTYPE": "C.utf8"]).isUnicode)
    #expect(!abilities(["LANG": "de_DE.UTF-8", "LC_ALL": "C"]).isUnicode)
    #expect(abilities(["LANG": "de_DE.UTF-8", "LC_ALL": ""]).isUnicode)
  }
}
