// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The data that `play` saves for the next run.
@Suite struct ResumeTests {
  private let scratch: ScratchFolder
  private let first: LiveSong
  private let second: LiveSong

  init() throws {
    scratch = try ScratchFolder()
    first = try LiveSong(title: "First")
    second = try LiveSong(title: "Second")
  }

  private func terminal(_ words: String) throws -> PseudoTerminal {
    try PseudoTerminal(
      "\"$0\" play \(words) -s '\(first.font)' --audio null; echo \"[ended $?]\"; read -r line",
      columns: 120, rows: 30, environment: ["XDG_STATE_HOME": scratch.path("state")])
  }

  /// The text on a terminal without blanks, because lines wrap.
  private func joined(_ terminal: PseudoTerminal) -> String {
    terminal.picture.text.filter { !$0.isWhitespace }
  }

  private func plain(_ words: String...) throws -> ToolRun {
    try ToolRun(
      ["play"] + words + ["-s", first.font, "--audio", "null"],
      environment: ["XDG_STATE_HOME": scratch.path("state")])
  }

  @Test func `a list is resumed at the position that key Q saved`() throws {
    let left = try terminal("'\(first.path)' '\(second.path)'")
    try left.wait(for: "First")
    left.type(">")
    try left.wait(for: "the second") { $0.lines[0].contains(/Second .* 2\/2/) }
    try left.type("\u{1B}[A", reaching: 60...64)
    try left.type("Q", until: "[ended 0]")
    #expect(joined(left).contains("issaved(tocontinue:downbeatplay--resume)"), "\(joined(left))")
    let again = try terminal("--resume")
    try again.wait(for: "the second") { $0.lines[0].contains(/Second .* 2\/2/) }
    try again.wait(for: "its place") { _ in again.seconds.map((59...75).contains) ?? false }
    try again.type("q", until: "[ended 0]")
    // The list may be another one, if it contains the song.
    let other = try terminal("--resume '\(second.path)'")
    try other.wait(for: "its place") { _ in other.seconds.map((59...75).contains) ?? false }
    try other.type("<", reaching: 0...5)
    try other.type("q", until: "[ended 0]")
    let without = try plain("--resume", first.path, "--to", "0.1s")
    #expect(without.status == 0)
    #expect(without.errors.contains("is not in this list"), "\(without.errors)")
  }

  @Test func `a changed song starts at its beginning, and --from overrides the saved position`()
    throws
  {
    let left = try terminal("'\(first.path)'")
    try left.type("\u{1B}[A", reaching: 60...64)
    try left.type("Q", until: "[ended 0]")
    let placed = try plain("--resume", "--from", "0", "--to", "0.1s", "--quiet")
    #expect(placed.status == 0, "\(placed.errors)")
    try Data(SongBytes.notes(1, every: 48)).write(to: URL(fileURLWithPath: first.path))
    let changed = try plain("--resume")
    #expect(changed.status == 0)
    #expect(changed.errors.contains("has changed;"), "\(changed.errors)")
  }

  @Test func `sound files are resumed at the position at which key Q quit`() throws {
    for name in ["a.wav", "b.wav"] {
      // The length of the songs of these tests, 3:00.
      let quiet = WaveBytes.file(frames: 180 * 8000, channels: 1, rate: 8000) { _, _ in 0.01 }
      _ = try scratch.write(name, quiet)
    }
    func sounds(_ words: String) throws -> PseudoTerminal {
      try PseudoTerminal(
        "\"$0\" sound play \(words) --audio null; echo \"[ended $?]\"; read -r line",
        columns: 120, rows: 30, environment: ["XDG_STATE_HOME": scratch.path("state")])
    }
    let left = try sounds("'\(scratch.path("a.wav"))' '\(scratch.path("b.wav"))'")
    try left.wait(for: "a.wav")
    left.type(">")
    try left.wait(for: "the second") { $0.lines[0].contains("b.wav") }
    try left.type("\u{1B}[A", reaching: 60...64)
    try left.type("Q", until: "[ended 0]")
    let saved = "issaved(tocontinue:downbeatsoundplay--resume)"
    #expect(joined(left).contains("b.wav:position1:0") && joined(left).contains(saved))
    let again = try sounds("--resume")
    try again.wait(for: "the second") { $0.lines[0].contains("b.wav") }
    try again.wait(for: "its position") { _ in again.seconds.map((59...75).contains) ?? false }
    try again.type("q", until: "[ended 0]")
    let other = try CommandRun(
      ["sound", "play", "--resume", "--together", scratch.path("a.wav")])
    #expect(other.status == 64, "\(other.errors)")
  }

  @Test func `without a saved position, resuming is an error`() throws {
    let run = try plain("--resume")
    #expect(run.status == 64)
    #expect(run.errors.contains("key Q"), "\(run.errors)")
    let sound = try ToolRun(
      ["sound", "play", "--resume"], environment: ["XDG_STATE_HOME": scratch.path("state")])
    #expect(sound.status == 64)
    #expect(sound.errors.contains("no position was saved with key Q"), "\(sound.errors)")
  }

  @Test func `settings made by keys return with --remember, unless flags give others`() throws {
    let set = try terminal("'\(first.path)' --remember")
    try set.wait(for: "First")
    try set.type("++", until: "transpose +2")
    try set.type("99", until: "volume −2 dB")
    set.type("\tm")
    try set.wait(for: "a mute") { $0.text.contains(#/ 1 Violin +M /#) }
    // However it ends.
    set.send(15)
    try set.wait(for: "[ended 143]")
    let again = try terminal("'\(first.path)' --remember")
    try again.wait(for: "the settings of last time") {
      $0.text.contains("(Backspace resets)") && $0.text.contains("transpose +2")
        && $0.text.contains("volume −2 dB")
        && $0.text.contains(#/ 1 Violin +M /#)
    }
    try again.type("q", until: "[ended 0]")
    let flagged = try terminal("'\(first.path)' --remember --transpose 1 --mute 3 --gain 0dB")
    try flagged.wait(for: "transpose +1")
    #expect(flagged.picture.text.contains("volume 0 dB"))
    #expect(!flagged.picture.text.contains(#/ 1 Violin +M /#))
    try flagged.type("q", until: "[ended 0]")
    let without = try terminal("'\(first.path)'")
    try without.wait(for: "volume 0 dB")
    #expect(!without.picture.text.contains("transpose"))
    try without.type("q", until: "[ended 0]")
    let other = try terminal("'\(second.path)' --remember")
    try other.wait(for: "volume 0 dB")
    try other.type("q", until: "[ended 0]")
    let reset = try terminal("'\(first.path)' --remember")
    try reset.wait(for: "transpose +2")
    reset.type("\u{7F}")
    try reset.wait(for: "the song as written") {
      $0.text.contains("volume 0 dB") && !$0.text.contains("transpose")
        && !$0.text.contains(#/ 1 Violin +M /#)
    }
    // The process ends before it remembers.
    reset.send(9)
    let still = try terminal("'\(first.path)' --remember")
    try still.wait(for: "transpose +2")
    try still.type("q", until: "[ended 0]")
  }
}
