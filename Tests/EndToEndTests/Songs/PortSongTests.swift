// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The reports on songs with several ports, and their playback.
@Suite struct PortSongTests {
  private typealias Events = [(delta: Int, bytes: [UInt8])]

  private let scratch: ScratchFolder
  private let font: String

  init() throws {
    scratch = try ScratchFolder()
    font = try scratch.write("tiny.sf2", TinySoundFont.bytes)
  }

  private static func note(_ channel: UInt8, _ key: UInt8, velocity: UInt8 = 100) -> Events {
    [(0, [0x90 | channel, key, velocity]), (480, [0x80 | channel, key, 64])]
  }

  private static func port(_ number: UInt8) -> Events { [(0, [0xFF, 0x21, 1, number])] }

  private static func device(_ name: String) -> Events {
    [(0, [0xFF, 0x09, UInt8(name.utf8.count)] + Array(name.utf8))]
  }

  private static func file(_ tracks: Events...) -> [UInt8] {
    SongBytes.file(tracks: tracks.map { ("", $0) })
  }

  /// Two ports by number, two by name, and one track that goes from port to port.
  private static let byNumber = file(port(1) + note(0, 60), port(0) + note(0, 67) + note(9, 38))
  private static let byName = file(
    device("Unit A") + note(0, 60), device("Unit B") + note(0, 67) + note(9, 38))
  private static let inMidTrack = SongBytes.file(
    port(3) + note(0, 60) + port(1) + note(0, 67) + note(9, 38) + port(3) + note(0, 60))
  static let songs = [byNumber, byName, inMidTrack]

  private func facts(_ song: [UInt8]) throws -> [String: Any] {
    let run = try CommandRun(["info", "--json", "-"], input: Data(song))
    return try #require(
      try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
  }

  /// Port and channel of each channel that is used, from 1.
  private func channels(_ song: [UInt8]) throws -> [[Int]] {
    let channels = try #require(try facts(song)["channels"] as? [[String: Any]])
    return try channels.map { use in
      [try #require(use["port"] as? Int) + 1, try #require(use["channel"] as? Int) + 1]
    }
  }

  private func samples(_ song: [UInt8], _ flags: String...) throws -> [Float] {
    let path = try scratch.write("song.mid", song)
    let output = scratch.path("song.wav")
    let run = try CommandRun(
      [
        "render", path, "-o", output, "--overwrite", "-s", font, "--no-reverb", "--no-chorus",
        "--absolute-gain", "0.5", "--bits", "float", "-q",
      ] + flags)
    try #require(run.status == 0, "\(run.errors)")
    return try #require(WaveAudio(try FileContent.data(output))).channels[0]
  }

  private static func distance(_ one: [Float], _ other: [Float]) -> Float {
    zip(one, other).reduce(0) { max($0, abs($1.0 - $1.1)) }
  }

  @Test(arguments: songs.indices)
  func `info counts ports by first use, each with its channels`(index: Int) throws {
    let song = Self.songs[index]
    #expect(try channels(song) == [[1, 1], [2, 1], [2, 10]])
    #expect(try facts(song)["portCount"] as? Int == 2)
    let text = try CommandRun(["info", "-"], input: Data(song)).text
    #expect(text.contains("1:1 ") && text.contains("2:10 "))
  }

  @Test func `a file whose only port is 5 has sixteen channels like any other`() throws {
    let song = Self.file([(0, [0xF0, 5, 0x7E, 0x7F, 9, 1, 0xF7])], Self.port(5) + Self.note(3, 60))
    #expect(try channels(song) == [[1, 4]])
    #expect(try CommandRun(["info", "-"], input: Data(song)).text.contains("1:4") == false)
  }

  @Test(arguments: songs.indices)
  func `muting a port, or soloing the others, does not change the rest`(
    index: Int
  ) throws {
    let song = Self.songs[index]
    let whole = try samples(song)
    let first = try samples(song, "--mute", "2:1-16")
    let second = try samples(song, "--solo", "2:1,2:10")
    #expect(first.contains { abs($0) > 0.01 } && second.contains { abs($0) > 0.01 })
    let sum = zip(first, second).map { $0 + $1 }
    #expect(Self.distance(whole, sum) < 1e-4)
    #expect(try samples(song, "--mute", "1:1") == second)
  }

  @Test(arguments: songs.indices)
  func `after joining into one track, it sounds the same`(index: Int) throws {
    let song = Self.songs[index]
    let joined = try CommandRun(["edit", "-", "-o", "-", "--do", "format 0"], input: Data(song))
    try #require(joined.status == 0, "\(joined.errors)")
    let bytes = [UInt8](joined.output)
    #expect(bytes[9] == 0)
    #expect(Self.distance(try samples(song), try samples(bytes)) < 1e-5)
  }

  @Test(arguments: songs.indices)
  func `stems are named after port and channel`(index: Int) throws {
    let path = try scratch.write("song.mid", Self.songs[index])
    let folder = scratch.path("stems")
    let run = try CommandRun(
      ["render", path, "-o", folder, "--stems", "channel", "--solo", "2:1", "-s", font, "-q"])
    try #require(run.status == 0, "\(run.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(names.filter { $0.contains("channel") } == ["port-02-channel-01.wav"])
  }

  @Test func `the seventeenth port is not played, and is reported`() throws {
    let tracks = (0..<17).map { Self.port(UInt8($0)) + Self.note(0, 60 + UInt8($0)) }
    let all = SongBytes.file(tracks: tracks.map { ("", $0) })
    let played = SongBytes.file(tracks: tracks.dropLast().map { ("", $0) })
    let path = try scratch.write("many.mid", all)
    let run = try CommandRun(
      ["render", path, "-o", scratch.path("many.wav"), "--overwrite", "-s", font])
    #expect(run.status == 0)
    #expect(run.errors.contains("uses 17 ports, but only the first 16 are played"))
    #expect(try samples(all) == (try samples(played)))
    #expect(try facts(all)["portCount"] as? Int == 17)
    #expect(
      try CommandRun(["check", path]).text.contains("17 ports: only the first 16 are played"))
  }

  @Test func `edit transposes each port by its own drums`() throws {
    // A GS rhythm part on channel 1 of the first port alone.
    let rhythm: Events = [
      (0, [0xF0, 10, 0x41, 0x10, 0x42, 0x12, 0x40, 0x11, 0x15, 1, 0x19, 0xF7])
    ]
    let song = Self.file(
      Self.port(0) + rhythm + Self.note(0, 38), Self.port(1) + Self.note(0, 60) + Self.note(9, 40))
    let edited = try CommandRun(
      ["edit", "-", "-o", "-", "--do", "transpose 2"], input: Data(song))
    let channels = try #require(
      try facts([UInt8](edited.output))["channels"] as? [[String: Any]])
    #expect(channels.map { $0["lowestKey"] as? Int } == [38, 62, 40])
    #expect(channels.map { $0["drums"] as? Bool } == [true, false, true])
    let check = try CommandRun(["check", "-"], input: Data(song)).text
    #expect(check.contains("drums on channels 1:1, 1:10, 2:10"))
  }
}
