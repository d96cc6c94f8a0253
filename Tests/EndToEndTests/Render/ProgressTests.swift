// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Progress bars stay on one line of the terminal.
@Suite struct ProgressTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  /// Everything the command draws on a terminal of a width.
  private func drawn(_ command: String, columns: Int) throws -> String {
    let script = """
      script -qefc "stty cols \(columns); $0 \(command)" /dev/null < /dev/null
      """
    return try ToolRun(["-c", script, ToolRun.command], command: "/bin/bash").text
  }

  /// The lines that were drawn over one another.
  private func pictures(_ text: String) -> [Substring] {
    text.split(separator: "\r").compactMap { picture in
      picture.hasPrefix("\u{1B}[K") ? picture.dropFirst(3) : nil
    }
  }

  @Test(arguments: [30, 80], ["a", "長い名前の歌".appending("長い名前の歌長い名前の歌長い名前の歌長い名前の歌")])
  func `the bar stays on its line whatever the name`(columns: Int, name: String) throws {
    let song = try scratch.write("\(name).mid", SongBytes.notes(4, every: 960))
    let font = try scratch.write("tiny.sf2", TinySoundFont.bytes)
    let text = try drawn(
      "render '\(song)' -o '\(scratch.path("out.wav"))' -s '\(font)'", columns: columns)
    let lines = pictures(text).filter { $0.contains("%") }
    #expect(lines.count > 3, "\(text.debugDescription)")
    for line in lines {
      let wide = line.unicodeScalars.count { $0.value > 0x2E80 }
      #expect(line.count + wide < columns, "\(line)")
      #expect(!line.contains("\n"))
    }
  }

  @Test func `two passes have one progress from 0 to 100 %`() throws {
    let song = try scratch.write("song.mid", SongBytes.notes(4, every: 960))
    let font = try scratch.write("tiny.sf2", TinySoundFont.bytes)
    let text = try drawn(
      "render '\(song)' -o '\(scratch.path("out.wav"))' -s '\(font)' --normalize -16LUFS",
      columns: 80)
    let percents = pictures(text).compactMap { line -> Int? in
      guard let end = line.firstRange(of: " %") else { return nil }
      return Int(line[..<end.lowerBound].split(separator: " ").last ?? "")
    }
    #expect(percents.count > 3)
    #expect(percents == percents.sorted(), "\(percents)")
  }

  @Test func `without a display, meters are printed as numbers every second`() throws {
    let song = try scratch.write("song.mid", SongBytes.notes(4, every: 480))
    let font = try scratch.write("tiny.sf2", TinySoundFont.bytes)
    let run = try ToolRun(["play", song, "-s", font, "--audio", "null", "--meters"])
    let lines = run.errors.split(separator: "\n").filter { $0.hasPrefix("0:0") }
    #expect(lines.count > 1)
    for line in lines { #expect(line.contains(" dB"), "\(line)") }
  }
}
