// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing

/// The displays of the commands other than `play`.
@Suite struct LiveCommandTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  /// A clock of 90 beats a minute that another process serves, once it can be read.
  private static func serve(_ name: String) -> String {
    """
    "$0" clock serve \(name) --bpm 90 < /dev/null > /dev/null 2>&1 &
    for try in $(seq 600); do
      "$0" convert --clock \(name) > /dev/null 2>&1 && break; sleep 0.05
    done
    """
  }

  /// Twenty seconds of silence, in two files.
  private func sounds() throws -> String {
    try ["a", "b"].map { name in
      "'\(try scratch.write(name + ".wav", Self.wave(seconds: 20)))'"
    }.joined(separator: " ")
  }

  private static func wave(seconds: UInt32) -> [UInt8] {
    func bytes(_ value: UInt32, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let size = seconds * 8000 * 2
    let format =
      bytes(16, 4) + bytes(1, 2) + bytes(1, 2) + bytes(8000, 4) + bytes(16000, 4) + bytes(2, 2)
      + bytes(16, 2)
    return Array("RIFF".utf8) + bytes(36 + size, 4) + Array("WAVEfmt ".utf8) + format
      + Array("data".utf8) + bytes(size, 4) + [UInt8](repeating: 0, count: Int(size))
  }

  @Test func `sound files are shown, sought in and ended`() throws {
    let terminal = try PseudoTerminal(
      "\"$0\" sound play \(sounds()) --audio null; echo \"[ended $?]\"; read -r line")
    try terminal.wait(for: "a.wav")
    try terminal.wait(for: "0:20")
    try terminal.type(" ", until: "paused")
    try terminal.type("\u{1B}[C\u{1B}[C", until: "0:10 / 0:20")
    try terminal.type("9", until: "volume −1 dB")
    try terminal.type("[", until: "speed 90 %")
    try terminal.type(">", until: "b.wav")
    #expect(terminal.picture.text.contains("2/2"))
    try terminal.type("<", until: "a.wav")
    try terminal.type("?", until: "half, double speed")
    #expect(!terminal.picture.text.contains("mute"))
    try terminal.type("??", until: "half, double speed")
    terminal.send(SIGTSTP)
    try terminal.wait(for: "[ended 148]")
    #expect(!terminal.picture.isAlternate && terminal.echoes)
    let again = try PseudoTerminal(
      "\"$0\" sound play \(sounds()) --audio null; echo \"[ended $?]\"; read -r line")
    try again.wait(for: "a.wav")
    try again.wait(for: "the bar") { $0.lines[2].contains("●") }
    again.type("q")
    try again.wait(for: "the end") { $0.text.contains("[ended ") && !$0.isAlternate }
    #expect(again.echoes)
  }

  @Test func `a clock that is followed is shown on a terminal, and is lines elsewhere`() throws {
    let name = "live-\(getpid())"
    let follow = "\"$0\" clock follow --sync clock:\(name)"
    let terminal = try PseudoTerminal(
      """
      \(Self.serve(name))
      \(follow); \(follow) --plain --for 4s; echo "[ended $?]"; kill %1; read -r line
      """, environment: ["XDG_RUNTIME_DIR": scratch.url.path])
    try terminal.wait(for: "the picture") {
      $0.isAlternate && $0.text.contains("90.00 bpm") && $0.text.contains("   locked ")
    }
    #expect(terminal.picture.lines[0] == "clock:\(name)")
    terminal.type("q")
    try terminal.wait(for: "[ended 0]")
    #expect(!terminal.picture.isAlternate && terminal.echoes)
    #expect(terminal.picture.lines.count { $0.contains("90.00 bpm") } > 1)
  }

  @Test func `the next file, the one before, and the end of all`() throws {
    let (first, second) = (try LiveSong(title: "First"), try LiveSong(title: "Second"))
    let terminal = try PseudoTerminal(
      """
      "$0" play '\(first.path)' '\(second.path)' -s '\(first.font)' --audio null
      echo "[ended $?]"; read -r line
      """)
    try terminal.wait(for: "the first") { $0.lines[0].contains(/First .* 1\/2/) }
    terminal.type("\r")
    try terminal.wait(for: "the second") { $0.lines[0].contains(/Second .* 2\/2/) }
    terminal.type("<")
    try terminal.wait(for: "the first") { $0.lines[0].contains(/First .* 1\/2/) }
    terminal.type("<")
    // The first file, from its start.
    terminal.rest(milliseconds: 3000)
    terminal.type(">")
    try terminal.wait(for: "the second") { $0.lines[0].contains(/Second .* 2\/2/) }
    terminal.type(">")
    try terminal.wait(for: "[ended 0]")
    #expect(!terminal.picture.isAlternate && terminal.echoes)
    // It has flickered between none of them.
    let written = String(decoding: terminal.written, as: UTF8.self)
    #expect(written.components(separatedBy: "\u{1B}[?1049h").count == 2)
  }

  @Test func `between songs it ends by a signal, and gives the terminal back to wait for a pipe`()
    throws
  {
    let (first, font) = (try LiveSong(title: "First"), try LiveSong().font)
    let terminal = try PseudoTerminal(
      """
      trap : INT; sleep 100 | "$0" play '\(first.path)' none.mid - -s '\(font)' --audio null
      echo "[ended ${PIPESTATUS[1]}]"; read -r line
      """, controlsJobs: false)
    try terminal.wait(for: "First")
    terminal.type(">")
    try terminal.wait(for: "the lines before the picture") {
      !$0.isAlternate && $0.text.contains("none.mid: no such file")
    }
    // The terminal's settings follow its picture.
    for _ in 0..<200 where !terminal.echoes { terminal.rest(milliseconds: 50) }
    #expect(!terminal.picture.isAlternate && terminal.echoes)
    terminal.type("\u{3}")
    try terminal.wait(for: "[ended 130]")
  }

  @Test func `what a song follows is shown, and how well`() throws {
    let name = "live-sync-\(getpid())"
    let song = try LiveSong()
    let terminal = try PseudoTerminal(
      """
      \(Self.serve(name))
      \(song.words("--sync clock:\(name)")); echo "[ended $?]"; kill %1; read -r line
      """, columns: 120, rows: 30, environment: ["XDG_RUNTIME_DIR": scratch.url.path])
    try terminal.wait(for: "sync clock:\(name), locked")
    try terminal.wait(for: "tempo 90.0")
    try terminal.type(" ", until: "start and stop")
    try terminal.type("q", until: "[ended 0]")
  }
}
