// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Every key of `play`, at a terminal, and what it does.
@Suite struct LiveKeyTests {
  private let song: LiveSong

  init() throws {
    song = try LiveSong()
  }

  @Test func `space and p pause and go on`() throws {
    let terminal = try song.played()
    for key in [" ", "p"] {
      #expect(terminal.picture.text.contains("space pause"))
      try terminal.type(key, until: "paused")
      try terminal.wait(for: "space play")
      // The samples in the device's buffer are still played, for longer on a busy machine.
      var stood = ""
      for _ in 0..<100 where terminal.picture.lines[1] != stood {
        stood = terminal.picture.lines[1]
        terminal.rest(milliseconds: 600)
      }
      terminal.rest(milliseconds: 600)
      #expect(terminal.picture.lines[1] == stood)
      terminal.type(key)
      try terminal.wait(for: "going on") { !$0.text.contains("paused") && $0.lines[1] != stood }
    }
  }

  @Test func `arrows, commas, markers and the mouse go to places`() throws {
    let terminal = try song.played()
    try terminal.type(" ", until: "paused")
    try terminal.type("\u{1B}[A", reaching: 60...64)
    try terminal.type("\u{1B}OB", reaching: 0...4)
    try terminal.type("\u{1B}[C\u{1B}[C\u{1B}[C\u{1B}[C", reaching: 20...24)
    try terminal.type("\u{1B}[D", reaching: 15...19)
    try terminal.type("\u{1B}[1;2C\u{1B}[1;2C", reaching: 17...21)
    try terminal.type("\u{1B}[1;2D", reaching: 16...20)
    try terminal.type("n", reaching: 45...45)
    #expect(terminal.picture.text.contains("31.1.000"))
    try terminal.type("\u{1B}[5~", reaching: 90...90)
    try terminal.type("b", reaching: 45...45)
    try terminal.type("\u{1B}[6~", reaching: 0...0)
    try terminal.type("....", until: " 5.1.000")
    try terminal.type(",", until: " 4.1.000")
    try terminal.type("\u{1B}[<0;80;3M\u{1B}[<0;80;3m", reaching: 180...180)
    try terminal.type("\u{1B}[<0;41;3M", reaching: 88...94)
    try terminal.type("r", reaching: 0...0)
    try terminal.type("nn", reaching: 90...90)
    try terminal.type("\u{1B}[H", reaching: 0...0)
  }

  @Test func `speed, tempo, key and volume change and are shown`() throws {
    let terminal = try song.played()
    try terminal.type("[", until: "speed 90 %")
    try terminal.wait(for: "tempo 108.0")
    try terminal.type("]]", until: "speed 110 %")
    try terminal.type("}", until: "speed 220 %")
    try terminal.type("{", until: "speed 110 %")
    try terminal.type("\u{7F}", until: "speed 100 %")
    try terminal.type("-", until: "transpose −1")
    try terminal.type("++", until: "transpose +1")
    try terminal.type("=", until: "transpose +2")
    try terminal.type("9", until: "volume −1 dB")
    try terminal.type("00", until: "volume +1 dB")
    try terminal.type("/", until: "volume 0 dB")
    try terminal.type("*", until: "volume +1 dB")
    try terminal.type("t", until: "tap again")
    terminal.rest(milliseconds: 400)
    terminal.type("t")
    try terminal.wait(for: "a tapped tempo") { picture in
      let tempo = picture.text.firstMatch(of: /tempo (\d+\.\d)/).map(\.1)
      return tempo != nil && tempo != "120.0"
    }
    try terminal.type("\u{7F}", until: "tempo 120.0")
  }

  @Test func `channels are chosen, muted and soloed`() throws {
    let terminal = try song.played()
    try terminal.type("m", until: "no channel is selected")
    terminal.type("\tm")
    try terminal.wait(for: "a mute") { $0.text.contains(#/ 1 Violin +M /#) }
    terminal.type("\ts")
    try terminal.wait(for: "a solo") { $0.text.contains(#/ 2 Trumpet +S /#) }
    terminal.type("\u{1B}[Zm")
    try terminal.wait(for: "no mute") { !$0.text.contains(#/ 1 Violin +M /#) }
    terminal.type("M")
    try terminal.wait(for: "no solo") { !$0.text.contains(#/ 2 Trumpet +S /#) }
  }

  @Test func `a part or the whole is played over and over`() throws {
    let terminal = try song.played()
    try terminal.type("\u{1B}[A", reaching: 60...70)
    try terminal.type("l", until: "A is set")
    try terminal.type("\u{1B}[1;2C\u{1B}[1;2Cl", until: "from A to B")
    try terminal.wait(for: "pass 2")
    #expect((60...75).contains(terminal.seconds ?? 0))
    try terminal.type("l", until: "loop off")
    try terminal.type("L", until: "looping the whole song")
    try terminal.type("\u{1B}[<0;80;3M", until: "pass 2")
    #expect((0...5).contains(terminal.seconds ?? 9))
    try terminal.type("L", until: "loop off")
  }

  @Test func `help, facts and parts of the picture are shown and hidden`() throws {
    let terminal = try song.played()
    try terminal.wait(for: "E♭ major")
    try terminal.wait(for: "Word ")
    try terminal.type("?", until: "tap the tempo")
    #expect(terminal.picture.text.contains("click on the bar"))
    #expect(!terminal.picture.text.contains("Violin"))
    try terminal.type("\u{1B}", until: "Violin")
    try terminal.type("i", until: "ticks per quarter note")
    try terminal.type("i", until: "Violin")
    terminal.type("c")
    try terminal.wait(for: "no channels") { !$0.text.contains("Violin") }
    terminal.type("co")
    try terminal.wait(for: "little") { !$0.text.contains("tempo") }
    try terminal.type("o", until: "tempo")
    try terminal.type("!", until: "all notes off")
  }

  @Test func `pasted text and unknown keys do nothing`() throws {
    let terminal = try song.played()
    terminal.type("\u{1B}[200~q qq\u{1B}[201~zZ@#\u{1B}[15~é")
    terminal.rest(milliseconds: 500)
    #expect(terminal.picture.isAlternate)
    #expect(!terminal.picture.text.contains(/zZ|@#|é/))
    try terminal.type("q", until: "[ended 0]")
  }

  @Test func `without keys, input is not read, and typed text is not shown`() throws {
    let terminal = try song.played("--no-keys", controlsJobs: false)
    terminal.type("qzzz")
    terminal.rest(milliseconds: 400)
    #expect(terminal.picture.isAlternate)
    #expect(!terminal.picture.text.contains("zzz"))
    terminal.type("\u{3}")
    try terminal.wait(for: "[ended 130]")
  }

  @Test func `keys and colours are those of the configuration`() throws {
    let scratch = try ScratchFolder()
    let settings = """
      [keys]
      j = "seek +60"
      "Ctrl-L" = "seek 2:00"
      "." = "none"
      Q = "quit"
      [colors]
      accent = "magenta"
      faint = 244

      """
    let file = try scratch.write("config.toml", Array(settings.utf8))
    let terminal = try song.played(environment: ["DOWNBEAT_CONFIG": file])
    try terminal.type(" ", until: "paused")
    try terminal.type("j", reaching: 60...64)
    try terminal.type("\u{C}", reaching: 120...120)
    terminal.type(".")
    try terminal.type("?", until: "seek +60")
    #expect(terminal.picture.text.contains("Ctrl-L"))
    let written = String(decoding: terminal.written, as: UTF8.self)
    #expect(written.contains("35m") && written.contains("38;5;244m") && !written.contains("36m"))
    try terminal.type("?", until: "Violin")
    #expect(terminal.seconds == 120)
    try terminal.type("Q", until: "[ended 0]")
  }
}
