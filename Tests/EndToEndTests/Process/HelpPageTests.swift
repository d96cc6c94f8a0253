// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Which page of help words ask for, and its width.
@Suite struct HelpPageTests {
  private func run(_ line: String, columns: Int? = nil) throws -> CommandRun {
    try CommandRun(
      line.split(separator: " ").map(String.init),
      environment: ["COLUMNS": columns.map { "\($0)" }])
  }

  @Test func `without words the command prints its start page, and the status is 0`() throws {
    let start = try run("")
    #expect(start.status == 0 && start.errors.isEmpty, "\(start.errors)")
    #expect(start.text.hasPrefix("OVERVIEW: Play, render and inspect MIDI files.\n"))
    #expect(try run("--help").text == start.text)
    #expect(try run("help").text == start.text)
    #expect(try run("-h").text == start.text)
  }

  @Test func `--help-all of downbeat lists the subcommands of its commands, too`() throws {
    let (short, whole) = (try run("--help").text, try run("--help-all").text)
    for words in ["\n  clock send ", "\n  sound info ", "\n  config show "] {
      #expect(whole.contains(words) && !short.contains(words), "\(words)")
    }
    #expect(short.contains("\ndownbeat --help-all: "))
  }

  @Test(arguments: [
    ("help play", "play --help"), ("help play --help-all", "play --help-all"),
    ("--help play", "play -h"), ("help clock send", "clock send --help"),
    ("play song.mid --help", "play --help"), ("song.mid --help-all", "play --help-all"),
    ("help help", "help --help"), ("help config list", "config show --help"),
  ])
  func `two ways to ask for one page`(line: String, other: String) throws {
    let page = try run(line)
    #expect(page.status == 0 && page.text.contains("USAGE: downbeat "), "\(page.errors)")
    #expect(try run(other).text == page.text)
  }

  @Test func `help keys lists the keys of the players, those of the settings among them`() throws {
    let scratch = try ScratchFolder()
    let keys = try run("help keys")
    #expect(keys.status == 0)
    for words in ["  Space p ", "5 seconds back, forward", "  ? ", "quit and save the position"] {
      #expect(keys.text.contains(words), "\(words)")
    }
    let file = try scratch.write("config.toml", Array("[keys]\nj = \"seek -10\"\n".utf8))
    let own = try CommandRun(["help", "keys"], environment: ["DOWNBEAT_CONFIG": file])
    #expect(own.text.contains("seek -10"), "\(own.text)")
  }

  @Test(arguments: [
    ("help play render", "'render': not a subcommand of play (try downbeat help render)"),
    ("help clock send x", "'x': not a subcommand of send (try downbeat help clock send)"),
    ("help help play", "'help': no such downbeat command"),
    ("keys", "keys: not a command (try downbeat help keys)"),
    ("man", "man: not a command (try man downbeat)"),
    ("help man", "man: not a command (try man downbeat)"),
  ])
  func `words that name no page are refused, with the page to try`(
    line: String, part: String
  ) throws {
    let run = try run(line)
    #expect(run.status == 64 && run.output.isEmpty)
    #expect(run.errors.contains(part), "\(run.errors)")
  }

  @Test(arguments: ["", "help keys", "help help", "play --help", "play --help-all", "sound --help"])
  func `a page has the width of the terminal, between 40 and 100 columns`(line: String) throws {
    let pages = try [10, 40, 60, 100, 200].map { try run(line, columns: $0).text }
    #expect(pages[0] == pages[1] && pages[3] == pages[4])
    #expect(try run(line).text == run(line, columns: 80).text)
    for (page, columns) in zip(pages, [40, 40, 60, 100, 100]) {
      for line in page.split(separator: "\n") where !line.contains("\"") {
        // One word may be wider than the line: a path, or an option with its value.
        let isWide = line.count > columns
        #expect(!isWide || line.split(separator: " ").count <= 3, "\(columns): \(line)")
      }
    }
  }

  @Test func `on a terminal of 40 columns no word is broken`() throws {
    let terminal = try PseudoTerminal(
      """
      "$0" help keys; "$0" info Songs/groove.mid; echo '[ended]'
      read -r line
      """, columns: 40, rows: 200, environment: ["COLUMNS": nil])
    try terminal.wait(for: "[ended]")
    let text = terminal.picture.text
    #expect(text.contains("Keys of the live display of play, sound\nplay and synth.\n"), "\(text)")
    #expect(text.contains("quit and save the position for"), "\(text)")
    #expect(text.contains("beats per minute") || text.contains("beats per\n"), "\(text)")
    for line in text.split(separator: "\n") { #expect(line.count <= 40, "\(line)") }
  }

  @Test(arguments: ["play --help-all", "edit --help-all", "convert --help-all", "config --help"])
  func `no word is broken, and none is lost`(line: String) throws {
    func words(_ columns: Int) throws -> [String] {
      try run(line, columns: columns).text.split(whereSeparator: \.isWhitespace)
        .map(String.init).filter { !["\\", "#"].contains($0) }
    }
    let wide = try words(100)
    #expect(try words(40) == wide && words(61) == wide)
  }

  @Test func `a command that is too long for a line can be copied`() throws {
    let page = try run("play --help-all", columns: 40).text
    #expect(
      page.contains("  downbeat play song.mid -p 20:0 \\\n      -p 24:0 --offset 0 --offset -15\n"))
  }

  @Test func `lines of JSON are never broken`() throws {
    for line in ["sound --help", "graph --help-all"] {
      for columns in [40, 80] {
        let rows = try run(line, columns: columns).text
          .split(separator: "\n", omittingEmptySubsequences: false)
        let json = rows.drop { !$0.hasPrefix("  {\"") }.prefix { $0.contains("\"") }
        let text = json.joined()
        #expect(text.count { "{[".contains($0) } == text.count { "}]".contains($0) }, "\(text)")
        #expect(json.count > 1 && json.allSatisfy { $0.count < 80 }, "\(text)")
      }
    }
  }

  @Test func `the start page of sound has three examples`() throws {
    let page = try run("sound --help").text
    #expect(page.components(separatedBy: "\n  downbeat sound ").count == 4, "\(page)")
  }
}
