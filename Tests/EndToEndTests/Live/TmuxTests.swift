// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `play` in tmux, which is an independent implementation of a terminal.
@Suite struct TmuxTests {
  @Test func `the picture is drawn, resized, controlled by keys and removed`() throws {
    guard FileManager.default.isExecutableFile(atPath: Tmux.command) else {
      try Test.cancel("no tmux: apt install tmux")
    }
    let song = try LiveSong()
    let terminal = try Tmux("\(song.words()); echo \"[ended $?]\"; read -r line")
    try terminal.wait(for: " / 3:00")
    #expect(try terminal.rows[0].hasPrefix("Long Song"))
    #expect(
      try terminal.tell(["display-message", "-p", "#{alternate_on} #{cursor_flag}"]) == "1 0\n")
    try terminal.type("xyz")
    try terminal.type("Space")
    try terminal.wait(for: "paused")
    try terminal.type("Up")
    try terminal.wait(for: "1:0")
    try terminal.type("PPage")
    try terminal.wait(for: "61.1.000")
    for (columns, rows) in [(40, 12), (120, 40), (20, 4)] {
      try terminal.tell(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
      try terminal.wait(for: "1:30 / 3:00")
      #expect(try terminal.rows.allSatisfy { $0.count <= columns })
      #expect(try !terminal.rows.joined().contains("xyz"))
    }
    try terminal.tell(["resize-window", "-x", "80", "-y", "24"])
    try terminal.type("?")
    try terminal.wait(for: "tap the tempo")
    try terminal.type("Escape")
    try terminal.wait(for: "Violin")
    try terminal.type("q")
    try terminal.wait(for: "[ended 0]")
    #expect(
      try terminal.tell(["display-message", "-p", "#{alternate_on} #{cursor_flag}"]) == "0 1\n")
    #expect(try !terminal.rows.joined().contains("Long Song"))
  }
}
