// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing

/// The terminal of `play`: what it is while a song plays, and that it is given back as it was.
@Suite struct LiveTerminalTests {
  private let song: LiveSong

  init() throws {
    song = try LiveSong()
  }

  private func expectGivenBack(_ terminal: PseudoTerminal, _ settings: [UInt32]) {
    let picture = terminal.picture
    #expect(terminal.settings == settings)
    #expect(!picture.isAlternate && !picture.isCursorHidden && picture.modes.isEmpty)
    #expect(picture.unknown.isEmpty)
  }

  /// The settings of an unused terminal.
  private func fresh() throws -> [UInt32] {
    let terminal = try PseudoTerminal("read -r line")
    return terminal.settings
  }

  @Test func `a key, an end and every signal give the terminal back`() throws {
    let settings = try fresh()
    let signals: [(Int32, Int)] = [
      (SIGTERM, 143), (SIGHUP, 129), (SIGQUIT, 131), (SIGPIPE, 141),
    ]
    for (signal, status) in signals {
      let terminal = try song.played()
      #expect(!terminal.echoes && terminal.picture.isCursorHidden)
      #expect(terminal.picture.overruns.isEmpty)
      terminal.send(signal)
      try terminal.wait(for: "[ended \(status)]")
      expectGivenBack(terminal, settings)
    }
    for (keys, status) in [("q", 0), ("\u{3}", 130)] {
      // By a job that INT ends, bash is ended too.
      let terminal = try song.played(controlsJobs: false)
      terminal.type("xyz")
      terminal.rest(milliseconds: 200)
      terminal.type(keys)
      try terminal.wait(for: "[ended \(status)]")
      expectGivenBack(terminal, settings)
      #expect(!terminal.picture.text.contains("xyz"))
    }
  }

  @Test func `the end of the song and an error give the terminal back`() throws {
    let settings = try fresh()
    let ended = try song.played("--from 2:58")
    try ended.wait(for: "[ended 0]")
    expectGivenBack(ended, settings)
    let failed = try PseudoTerminal(
      "\"$0\" play '\(song.path)' -s '\(song.font)' --audio none; echo \"[ended $?]\"; read -r line"
    )
    try failed.wait(for: "[ended 69]")
    expectGivenBack(failed, settings)
  }

  @Test func `Ctrl-Z restores the terminal, and fg takes it again`() throws {
    let settings = try fresh()
    let terminal = try PseudoTerminal(
      "\(song.words()); echo '[stopped]'; read -r line; fg; echo \"[ended $?]\"; read -r line",
      rows: 30)
    try terminal.wait(for: " / 3:00")
    terminal.type("\u{1A}")
    try terminal.wait(for: "[stopped]")
    expectGivenBack(terminal, settings)
    let shown = terminal.picture.lines
    terminal.rest(milliseconds: 500)
    #expect(terminal.picture.lines == shown)
    terminal.type("\n")
    try terminal.wait(for: "the picture") { $0.isAlternate && $0.text.contains("Violin") }
    #expect(!terminal.echoes)
    try terminal.type("?", until: "tap the tempo")
    try terminal.type("q", until: "[ended 0]")
    expectGivenBack(terminal, settings)
  }

  @Test func `after SIGSTOP, it redraws when it is continued`() throws {
    let terminal = try PseudoTerminal(
      "\(song.words()); printf '\\033[2J\\033[Hrubbish'; fg; echo \"[ended $?]\"; read -r line",
      rows: 30)
    try terminal.wait(for: " / 3:00")
    terminal.send(SIGSTOP)
    try terminal.wait(for: "the picture again") {
      $0.text.contains("Violin") && !$0.text.contains("rubbish")
    }
    try terminal.type("q", until: "[ended 0]")
    #expect(!terminal.picture.isAlternate)
  }

  @Test func `the picture follows the size of the terminal`() throws {
    let terminal = try song.played()
    for (columns, rows) in [(20, 5), (120, 40), (20, 1), (1, 1), (200, 60), (33, 9), (80, 24)] {
      terminal.resize(columns: columns, rows: rows)
      if columns >= 20 {
        try terminal.wait(for: "/ 3:00")
      } else {
        terminal.rest(milliseconds: 400)
      }
      terminal.rest(milliseconds: 200)
    }
    #expect(terminal.picture.overruns.isEmpty)
    try terminal.type("q", until: "[ended 0]")
  }

  @Test func `in the background, it does not draw or read until it is in the foreground`() throws {
    let terminal = try PseudoTerminal(
      "\(song.words()) & sleep 1; echo '[behind]'; read -r line; fg; echo \"[ended $?]\"; read -r x",
      rows: 30)
    try terminal.wait(for: "[behind]")
    #expect(!terminal.picture.isAlternate && terminal.echoes)
    terminal.type("q\n")
    try terminal.wait(for: "the picture") { $0.isAlternate && $0.text.contains("Violin") }
    try terminal.type("q", until: "[ended 0]")
  }

  @Test(arguments: [nil, "", "dumb"])
  func `a terminal that is nothing but a printer gets lines`(name: String?) throws {
    let terminal = try PseudoTerminal(
      song.words("--from 2:58"), columns: 200, environment: ["TERM": name])
    #expect(try terminal.end() == 0)
    #expect(!terminal.written.contains(0x1B))
    #expect(terminal.picture.text.contains("playing Long Song"))
    #expect(terminal.picture.text.contains("played to the end"))
    let reason = name.map { $0.isEmpty ? "TERM is not set" : "TERM=\($0)" } ?? "TERM is not set"
    let sentence = "keys do not work on this terminal (\(reason); Ctrl-C quits)"
    #expect(terminal.picture.text.ranges(of: sentence).count == 1)
  }

  @Test func `plain output reports only start, markers and end`() throws {
    let run = try ToolRun(
      [
        "play", song.path, "-s", song.font, "--audio", "null", "--ab", "0:44.5,0:45.5", "--loop=1",
        "--plain",
      ])
    #expect(run.status == 0 && run.output.isEmpty)
    let lines = run.errors.split(separator: "\n").map { $0.replacing(song.path, with: "PATH") }
    #expect(
      lines == [
        "downbeat: playing Long Song  (PATH), 0:44 to 0:45", "downbeat: 0:45 Part 2",
        "downbeat: PATH: played to the end",
      ])
    #expect(!run.errors.contains("\u{1B}"))
  }

  @Test func `the first line states the part that is played, and an error the song without it`()
    throws
  {
    let scratch = try ScratchFolder()
    let short = try scratch.write("short.mid", SongBytes.notes(1, every: 480))
    let run = try ToolRun(
      [
        "play", song.path, short, "-s", song.font, "--audio", "null", "--from", "2:58", "--plain",
      ])
    #expect(run.status == 3, "\(run.errors)")
    let lines = run.errors.split(separator: "\n").map(String.init)
    #expect(lines.first?.hasSuffix("(\(song.path)), 2:58 to 3:00") == true, "\(run.errors)")
    #expect(
      lines.last
        == "downbeat: \(short): --from 2:58: the song ends at 0:00.3 (try an earlier time)",
      "\(run.errors)")
  }

  @Test func `a song that --to ends has stopped, not played to the end`() throws {
    let run = try ToolRun(
      ["play", song.path, "-s", song.font, "--audio", "null", "--to", "0:01", "--plain"])
    #expect(run.status == 0)
    #expect(run.errors.contains(", 0:00 to 0:01\n"), "\(run.errors)")
    #expect(run.errors.hasSuffix(": stopped at 0:01\n"), "\(run.errors)")
  }

  @Test(arguments: [["--from", "2s", "--to", "4s"], ["--solo", "2", "--to", "2s"]])
  func `silence is played to the end of the part`(flags: [String]) throws {
    let scratch = try ScratchFolder()
    let notes: [(delta: Int, bytes: [UInt8])] = [
      (0, [0x90, 60, 100]), (480, [0x80, 60, 0]), (7200, [0x91, 60, 100]), (480, [0x81, 60, 0]),
    ]
    let gap = try scratch.write("gap.mid", SongBytes.file(notes))
    let start = ContinuousClock.now
    let run = try ToolRun(
      ["play", gap, "-s", song.font, "--audio", "null", "--plain"] + flags)
    #expect(run.status == 0, "\(run.errors)")
    #expect(ContinuousClock.now - start > .seconds(1.9), "\(run.errors)")
  }

  @Test func `the silence before the end of a song is played`() throws {
    let scratch = try ScratchFolder()
    let notes: [(delta: Int, bytes: [UInt8])] = [
      (0, [0x90, 60, 100]), (480, [0x80, 60, 0]), (2400, [0xFF, 0x01, 1, 0x2E]),
    ]
    let rest = try scratch.write("rest.mid", SongBytes.file(notes))
    let start = ContinuousClock.now
    let run = try ToolRun(["play", rest, "-s", song.font, "--audio", "null", "--plain"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(ContinuousClock.now - start > .seconds(2.9), "\(run.errors)")
  }

  @Test func `a title in UTF-8 is ASCII in the C locale, and nothing steers`() throws {
    let title = "Grüße \u{1B}]0;x\u{7}日本\u{202E}\u{9B}"
    let hostile = try LiveSong(title: title, name: "Grüße.mid")
    let terminal = try hostile.played(environment: ["LC_ALL": "C"])
    #expect(terminal.written.allSatisfy { $0 < 0x80 })
    #expect(terminal.picture.lines[0].contains("Gr??e"))
    #expect(terminal.picture.unknown.isEmpty)
    terminal.type("q")
    let wide = try hostile.played(columns: 20, rows: 6)
    wide.rest(milliseconds: 300)
    #expect(wide.picture.overruns.isEmpty && wide.picture.unknown.isEmpty)
    #expect(wide.picture.lines[0].contains("Grüße"))
  }

  @Test func `colours are drawn if the terminal and the user allow them`() throws {
    #expect(try song.played().picture.hasColor)
    #expect(try !song.played(environment: ["NO_COLOR": "1"]).picture.hasColor)
    #expect(try song.played("--color always", environment: ["NO_COLOR": "1"]).picture.hasColor)
    #expect(try !song.played("--color never").picture.hasColor)
    #expect(try !song.played(environment: ["TERM": "vt100"]).picture.hasColor)
  }

  @Test func `nothing of the picture goes to standard output`() throws {
    let scratch = try ScratchFolder()
    let out = scratch.path("out")
    let terminal = try song.played("> '\(out)'")
    try terminal.type("q", until: "[ended 0]")
    #expect(try FileContent.data(out).isEmpty)
  }
}
