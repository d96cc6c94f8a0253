// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// An error gives a status and one line that names the object, the reason and a remedy.
@Suite struct BadInputTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  private func render(
    _ song: String, to output: String? = nil, options: [String] = [],
    environment: [String: String?] = [:]
  ) throws -> CommandRun {
    try CommandRun(
      ["render", song, "-o", output ?? scratch.path("out.wav")] + options
        + (options.contains("--soundfont") ? [] : ["--soundfont", "Soundfonts/Downbeat.sf2"]),
      environment: environment)
  }

  private func expectNoOutput(_ run: CommandRun, status: Int32, says words: String...) throws {
    #expect(run.status == status, "\(run.errors)")
    try expectNoOutput(after: run.errors, says: words)
  }

  /// Nothing but what was there before may be left, whole or half written.
  private func expectNoOutput(after errors: String, says words: [String]) throws {
    for word in words { #expect(errors.contains(word), "\(errors)") }
    #expect(errors.split(separator: "\n").count == 1, "\(errors)")
    #expect(try scratch.names().filter { $0.contains("out") } == [])
  }

  @Test func `a missing file`() throws {
    try expectNoOutput(
      try render(scratch.path("none.mid")), status: 66, says: "none.mid", "no such file")
  }

  @Test func `a directory`() throws {
    try expectNoOutput(try render(scratch.path("")), status: 66, says: "contains no songs")
  }

  @Test func `an empty file`() throws {
    let song = try scratch.write("empty.mid", [])
    try expectNoOutput(try render(song), status: 65, says: "empty.mid", "empty")
  }

  @Test func `a text file`() throws {
    let song = try scratch.write("letter.mid", Array("Dear Sir or Madam,\n".utf8))
    try expectNoOutput(try render(song), status: 65, says: "letter.mid", "MIDI")
  }

  @Test func `a truncated song is rendered as far as possible and reported`() throws {
    let whole = SongBytes.notes(8, every: 240)
    let song = try scratch.write("cut.mid", Array(whole.dropLast(20)))
    let run = try render(song)
    #expect(run.status == 3, "\(run.errors)")
    #expect(run.errors.contains("cut.mid"))
    #expect(try scratch.names() == ["cut.mid", "out.wav"])
  }

  @Test func `a truncated song is refused with --strict`() throws {
    let whole = SongBytes.notes(8, every: 240)
    let song = try scratch.write("cut.mid", Array(whole.dropLast(20)))
    try expectNoOutput(try render(song, options: ["--strict"]), status: 65, says: "cut.mid")
  }

  @Test func `a missing soundfont`() throws {
    let song = try scratch.write("song.mid", SongBytes.notes(2, every: 240))
    let run = try render(song, options: ["--soundfont", scratch.path("none.sf2")])
    try expectNoOutput(run, status: 78, says: "none.sf2")
  }

  @Test func `a soundfont that is another kind of file`() throws {
    let song = try scratch.write("song.mid", SongBytes.notes(2, every: 240))
    let font = try scratch.write("letter.sf2", Array("Dear Sir or Madam,\n".utf8))
    let run = try render(song, options: ["--soundfont", font])
    try expectNoOutput(run, status: 78, says: "letter.sf2")
  }

  @Test func `a folder that does not exist`() throws {
    let song = try scratch.write("song.mid", SongBytes.notes(2, every: 240))
    let run = try render(song, to: scratch.path("nowhere/out.wav"))
    try expectNoOutput(run, status: 73, says: "nowhere")
  }

  @Test func `a suffix that names no format`() throws {
    let song = try scratch.write("song.mid", SongBytes.notes(2, every: 240))
    let run = try render(song, to: scratch.path("out.doc"))
    try expectNoOutput(run, status: 64, says: ".doc", "wav")
  }

  @Test func `an existing output is kept`() throws {
    let song = try scratch.write("song.mid", SongBytes.notes(2, every: 240))
    let there = try scratch.write("kept.wav", [1, 2, 3])
    let run = try render(song, to: there)
    #expect(run.status == 73)
    #expect(run.errors.contains("--overwrite"))
    #expect(try ToolRun([there], command: "/bin/cat").output.elementsEqual([1, 2, 3]))
  }

  @Test func `a full disk leaves nothing behind`() throws {
    let song = try scratch.write("song.mid", SongBytes.notes(8, every: 960))
    // A limit on the size of files stands in for the full disk: the same failed write.
    let script = """
      trap '' XFSZ; ulimit -f 100
      exec "$0" render "$1" -o "$2" --soundfont Soundfonts/Downbeat.sf2
      """
    let run = try ToolRun(
      ["-c", script, ToolRun.command, song, scratch.path("out.wav")], command: "/bin/bash")
    #expect(run.status == 74, "\(run.errors)")
    try expectNoOutput(after: run.errors, says: ["out.wav"])
  }

  @Test func `an unknown audio device`() throws {
    let song = try scratch.write("song.mid", SongBytes.notes(2, every: 240))
    let run = try CommandRun([
      "play", song, "--audio", "nosuchdevice", "--soundfont", "Soundfonts/Downbeat.sf2",
    ])
    try expectNoOutput(run, status: 69, says: "nosuchdevice")
  }

  @Test func `a sample rate out of range`() throws {
    let song = try scratch.write("song.mid", SongBytes.notes(2, every: 240))
    let run = try render(song, options: ["--rate", "7"])
    #expect(run.status == 64)
    #expect(run.errors.contains("8000"))
  }
}
