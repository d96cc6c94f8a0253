// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The songs of the project: their sources, their lengths and their sound.
@Suite struct SongTests {
  static let songs: [String] = {
    let folder = ToolRun.packageFolder.appendingPathComponent("Songs")
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return (names ?? []).filter { $0.hasSuffix(".mid") }.sorted()
  }()

  @Test func `there are songs`() {
    #expect(Self.songs.count >= 12)
  }

  @Test(arguments: songs)
  func `a song is made from its source, byte for byte`(name: String) throws {
    let scratch = try ScratchFolder()
    let source = "Songs/" + name.replacing(".mid", with: ".score")
    let run = try CommandRun(["new", source, "-o", scratch.path(name)])
    #expect(run.status == 0, "\(run.errors)")
    let committed = ToolRun.packageFolder.appendingPathComponent("Songs/\(name)")
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: scratch.path(name)))
        == Data(contentsOf: committed))
  }

  @Test(arguments: songs)
  func `our font alone plays all of a song, neither soft nor clipped`(name: String) throws {
    let song = ToolRun.packageFolder.appendingPathComponent("Songs/\(name)")
    let loudness = try #require(LoudnessWitness(OwnFont.render(song).channels).integrated)
    #expect(OwnFont.loudness.contains(loudness), "\(loudness) LUFS")
  }

  private func length(_ name: String) throws -> Double {
    let ours = try CommandRun(["info", "--json", "Songs/\(name)"])
    let document = try #require(
      try JSONSerialization.jsonObject(with: ours.output) as? [String: Any])
    return try #require((document["lengthSeconds"] as? NSNumber)?.doubleValue)
  }

  private func number(_ script: String, _ name: String) throws -> Double {
    let run = try ToolRun(["-c", script, "Songs/\(name)"], command: Python.path)
    return try #require(
      Double(run.text.trimmingCharacters(in: .whitespacesAndNewlines)), "\(run.errors)")
  }

  /// The songs whose files mido supports.
  ///
  /// It does not compute lengths for format 2 and for time code divisions.
  private static let known = songs.filter { !["leader.mid", "patterns.mid"].contains($0) }

  @Test(.enabled(if: Python.hasMido, "python3-mido is not installed"), arguments: known)
  func `mido finds the same length, to a millisecond`(name: String) throws {
    let script = "import mido, sys; print(repr(mido.MidiFile(sys.argv[1]).length))"
    #expect(abs(try length(name) - number(script, name)) < 0.001)
  }

  /// Reads a file by the letter of the standard, in exact fractions; of format 2 one track after
  /// another.
  private static let standard = """
    import sys, struct
    from fractions import Fraction
    data = open(sys.argv[1], "rb").read()
    format, count, division = struct.unpack(">HHH", data[8:14])
    place, tracks = 14, []
    for _ in range(count):
      size = struct.unpack(">I", data[place + 4:place + 8])[0]
      tracks.append(data[place + 8:place + 8 + size])
      place += 8 + size
    def quantity(track, at):
      value = 0
      while True:
        value = value << 7 | track[at] & 127
        at += 1
        if track[at - 1] < 128: return value, at
    def events(track):
      at = tick = status = 0
      while at < len(track):
        delta, at = quantity(track, at)
        tick += delta
        if track[at] >= 128: status, at = track[at], at + 1
        if status == 255:
          kind = track[at]
          length, at = quantity(track, at + 1)
          yield tick, kind, track[at:at + length]
        elif status in (240, 247):
          length, at = quantity(track, at)
        else:
          length = 1 if status & 0xE0 == 0xC0 else 2
        at += length
      yield tick, None, b""
    def seconds(parts):
      all = [event for part in parts for event in events(part)]
      end = max(tick for tick, _, _ in all)
      if division & 0x8000:
        return Fraction(end, (256 - (division >> 8)) * (division & 255))
      tempi = sorted((t, i, int.from_bytes(b, "big")) for i, (t, k, b) in enumerate(all) if k == 81)
      now, tempo, total = 0, 500000, Fraction(0)
      for tick, _, value in tempi + [(end, len(all), 0)]:
        total += Fraction((tick - now) * tempo, division * 1000000)
        now, tempo = tick, value
      return total
    parts = [[track] for track in tracks] if format == 2 else [tracks]
    print(repr(float(sum(seconds(part) for part in parts))))
    """

  @Test(.enabled(if: Python.hasMido, "no Python"), arguments: songs)
  func `a reading by the letter of the standard finds the same length`(name: String) throws {
    #expect(abs(try length(name) - number(Self.standard, name)) < 0.000_001)
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
