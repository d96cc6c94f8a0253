// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The songs that come with the project: what they are made from, how long they are, how they sound.
@Suite struct SongTests {
  static let songs: [String] = {
    let folder = ToolRun.packageFolder.appendingPathComponent("Songs")
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return (names ?? []).filter { $0.hasSuffix(".mid") }.sorted()
  }()

  @Test func `there are songs`() {
    #expect(Self.songs.count >= 4)
  }

  @Test(arguments: songs)
  func `a song is what its source says, byte for byte`(name: String) throws {
    let scratch = try ScratchFolder()
    let source = "Songs/" + name.replacing(".mid", with: ".score")
    let run = try ToolRun(["new", source, "-o", scratch.path(name)])
    #expect(run.status == 0, "\(run.errors)")
    let committed = ToolRun.packageFolder.appendingPathComponent("Songs/\(name)")
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: scratch.path(name)))
        == Data(contentsOf: committed))
  }

  @Test(arguments: songs)
  func `a song renders without silence and without clipping`(name: String) throws {
    let scratch = try ScratchFolder()
    let output = scratch.path("song.wav")
    let run = try ToolRun(
      ["render", "Songs/\(name)", "-o", output, "--soundfont", "Soundfonts/Downbeat.sf2"],
      command: ToolRun.releaseCommand)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.isEmpty, "\(run.errors)")
    let sound = try #require(WaveAudio(try Data(contentsOf: URL(fileURLWithPath: output))))
    #expect(sound.level > -40)
    #expect(sound.peak < 1)
  }

  @Test(.enabled(if: Python.hasMido, "python3-mido is not installed"), arguments: songs)
  func `mido finds the same length, to a millisecond`(name: String) throws {
    let ours = try ToolRun(["info", "--json", "Songs/\(name)"])
    let document = try #require(
      try JSONSerialization.jsonObject(with: ours.output) as? [String: Any])
    let seconds = try #require((document["lengthSeconds"] as? NSNumber)?.doubleValue)
    let script = "import mido, sys; print(repr(mido.MidiFile(sys.argv[1]).length))"
    let theirs = try ToolRun(["-c", script, "Songs/\(name)"], command: Python.path)
    let length = try #require(
      Double(theirs.text.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(abs(seconds - length) < 0.001)
  }
}

/// Debian's Python, whose mido is a witness.
enum Python {
  static let path = "/usr/bin/python3"

  static let hasMido: Bool = {
    do { return try ToolRun(["-c", "import mido"], command: path).status == 0 } catch {
      return false
    }
  }()
}
