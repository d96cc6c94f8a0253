// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing

/// The name of what a command writes: taken or free, and decided when it is given.
@Suite struct OutputNameTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// A command line that writes OUT, for each command that writes files.
  private static let writers = [
    ["render", "song.mid", "-o", "OUT.wav", "--soundfont", "FONT"],
    ["sound", "convert", "sound.wav", "-o", "OUT.wav"],
    ["sound", "record", "--audio", "null", "--length", "10ms", "-o", "OUT.wav"],
    ["soundfont", "demo", "--soundfont", "FONT", "-o", "OUT.wav"],
    ["soundfont", "convert", "FONT", "-o", "OUT.sf2"],
    ["soundfont", "trim", "FONT", "--song", "song.mid", "-o", "OUT.sf2"],
    ["edit", "song.mid", "--do", "format 0", "-o", "OUT.mid"],
    ["edit", "song.mid", "--embed", "--soundfont", "FONT", "-o", "OUT.rmi"],
    ["events", "--import", "list.csv", "-o", "OUT.mid"],
    ["new", "song.score", "-o", "OUT.mid"],
  ]

  @Test(arguments: writers)
  func `a dangling link is an existing file`(line: [String]) throws {
    let (line, target) = try prepared(line)
    try #require(unsafe symlink("nowhere", target) == 0)
    let names = try folder.names()
    let run = try CommandRun(line, folder: folder.url)
    #expect(run.status == 73, "\(run.errors)")
    #expect(
      run.errors.hasSuffix("already exists (use --overwrite to replace it)\n"), "\(run.errors)")
    let forced = try CommandRun(line + ["--overwrite"], folder: folder.url)
    #expect(forced.status == 73, "\(forced.errors)")
    #expect(forced.errors.contains("broken symbolic link"), "\(forced.errors)")
    #expect(try folder.names() == names)
  }

  @Test(arguments: writers)
  func `of two commands that write the same file, one is refused`(line: [String]) throws {
    let (line, target) = try prepared(line)
    let words = line.map { "'\($0)'" }.joined(separator: " ")
    let tool = ToolRun.command
    let script = """
      '\(tool)' \(words) 2> first & one=$!
      '\(tool)' \(words) 2> second & two=$!
      wait $one; a=$?
      wait $two; echo $a $?
      """
    let run = try ToolRun(["-c", script], command: "/bin/sh", folder: folder.url)
    // A take that was started is not lost: it is saved under another name.
    let isBeside = line.contains("record") && run.text.contains("3") && !run.text.contains("7")
    let ends = isBeside ? ["0 3\n", "3 0\n"] : ["0 73\n", "73 0\n"]
    #expect(ends.contains(run.text), "\(line): \(run.text)")
    #expect(try folder.names().contains("OUT-2.wav") == isBeside)
    let names = try folder.names()
    #expect(names.contains(URL(fileURLWithPath: target).lastPathComponent))
    #expect(!names.contains { $0.hasPrefix(".downbeat") })
  }

  @Test func `a take whose name was taken meanwhile gets another name, with a report`() throws {
    let script = """
      '\(ToolRun.command)' sound record --audio null -q -o take.wav 2> said & job=$!
      n=0; while [ $n -lt 500 ] && ! ls .downbeat-*.part > found 2> quiet; do sleep 0.02; n=$((n+1)); done
      echo other > take.wav; sleep 0.3; kill -TERM $job; wait $job; cat said
      """
    let run = try ToolRun(["-c", script], command: "/bin/sh", folder: folder.url)
    #expect(
      run.text.contains(
        "take.wav: another program has created this file; the recording is saved as take-2.wav"),
      "\(run.text)")
    #expect(try FileContent.data(folder.path("take.wav")) == Data("other\n".utf8))
    #expect(
      try #require(WaveAudio(FileContent.data(folder.path("take-2.wav")))).channels[0].count > 0)
  }

  @Test func `the remains of a killed rendering of stems are removed at the next start`() throws {
    _ = try prepared(Self.writers[0])
    let font = ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2").path
    let song = ToolRun.packageFolder.appendingPathComponent("Songs/hall.mid").path
    let script = """
      '\(ToolRun.command)' render '\(song)' --stems channel -q -o stems -s '\(font)' & job=$!
      n=0; while [ $n -lt 900 ] && ! ls -d .downbeat-*.parts > found 2> quiet; do sleep 0.02; n=$((n+1)); done
      kill -9 $job; wait $job; cat found
      """
    let killed = try ToolRun(["-c", script], command: "/bin/sh", folder: folder.url)
    try #require(killed.text.hasPrefix(".downbeat-"), "\(killed.errors)")
    let (line, _) = try prepared(Self.writers[1])
    let run = try ToolRun(line, folder: folder.url)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try !folder.names().contains { $0.hasPrefix(".downbeat") })
  }

  @Test func `the remains of a killed command are removed at the next start`() throws {
    let (line, _) = try prepared(Self.writers[1])
    let script = """
      '\(ToolRun.command)' sound record --audio null -q -o take.wav & job=$!
      n=0; while [ $n -lt 500 ] && ! ls .downbeat-*.part > found 2> quiet; do sleep 0.02; n=$((n+1)); done
      kill -9 $job; wait $job; cat found
      """
    let killed = try ToolRun(["-c", script], command: "/bin/sh", folder: folder.url)
    try #require(killed.text.hasPrefix(".downbeat-"), "\(killed.errors)")
    #expect(try folder.names().contains { $0.hasPrefix(".downbeat") })
    let run = try ToolRun(line, folder: folder.url)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try !folder.names().contains { $0.hasPrefix(".downbeat") })
  }

  /// Puts what the lines read in place; returns a line in full, and the path it writes.
  private func prepared(_ line: [String]) throws -> (line: [String], target: String) {
    _ = try folder.write("song.mid", SongBytes.notes(2, every: 480))
    _ = try folder.write("sound.wav", WaveBytes.file(frames: 480) { _, _ in 0.1 })
    _ = try folder.write("song.score", Array("tempo 100\npiano: c4 d e f\n".utf8))
    let list = try CommandRun(["events", "song.mid", "--csv"], folder: folder.url)
    try #require(list.status == 0, "\(list.errors)")
    try list.output.write(to: URL(fileURLWithPath: folder.path("list.csv")))
    let font = ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2").path
    let full = line.map { $0 == "FONT" ? font : $0 }
    let target = try #require(line.first { $0.hasPrefix("OUT") })
    return (full, folder.path(target))
  }
}
