// SPDX-License-Identifier: Apache-2.0
import Foundation
import SoundFontFiles
import TestSupport
import Testing

/// Mutated fonts: what our check passes, FluidSynth loads and plays in a child without a crash.
@Suite struct SoundFontFuzzTests {
  private static let isLong = ProcessInfo.processInfo.environment["DOWNBEAT_LONG"] != nil
  private static let wanted = isLong ? 2000 : 24

  private let scratch: ScratchFolder
  private let song: String

  init() throws {
    scratch = try ScratchFolder()
    var events: [(delta: Int, bytes: [UInt8])] = [(0, [0xC1, 1])]
    for (channel, key) in [(0, 0), (0, 60), (1, 127), (1, 40), (9, 36), (9, 99)] {
      events.append((0, [0x90 | UInt8(channel), UInt8(key), 127]))
    }
    events.append((0, [0xE0, 0, 127]))
    events.append((0, [0xB1, 1, 127]))
    song = try scratch.write("song.mid", SongBytes.file(events + [(48, [0xB0, 120, 0])]))
  }

  /// A font with one to eight bytes changed, most of them in its tables.
  private func mutation(_ random: inout SplitMix) -> [UInt8] {
    var bytes = TinySoundFont.bytes
    let tables = bytes.indices.first { bytes[$0...].starts(with: "pdta".utf8) } ?? 0
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      let isTable = Int.random(in: 0..<10, using: &random) > 0
      change(&bytes, (isTable ? tables : 12)..<bytes.count, &random)
    }
    return bytes
  }

  private func change(_ bytes: inout [UInt8], _ places: Range<Int>, _ random: inout SplitMix) {
    bytes[Int.random(in: places, using: &random)] =
      [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random)]
      .randomElement(using: &random) ?? 0
  }

  private func passes(_ bytes: [UInt8]) -> Bool {
    do {
      let font = FontBytes(bytes)
      return try SoundFontTables(font).findings(in: font).isEmpty
    } catch {
      return false
    }
  }

  /// Returns true if `soundfont check` reports that a font is without faults.
  private func checks(_ name: String) throws -> Bool {
    try CommandRun(["soundfont", "check", scratch.path(name)]).status == 0
  }

  /// Plays mutations that the check passes, until there were enough.
  private func play(_ name: String, seed: UInt64, _ mutation: (inout SplitMix) -> [UInt8]) throws
    -> (passed: Int, played: Int)
  {
    var random = SplitMix(seed: seed)
    var (tried, passed, played) = (0, 0, 0)
    while passed < Self.wanted {
      tried += 1
      let bytes = mutation(&random)
      guard passes(bytes) else { continue }
      passed += 1
      let run = try ToolRun(
        [
          "render", song, "-o", scratch.path("out.wav"), "--overwrite", "-q", "-s",
          scratch.write(name, bytes), "--length", "1s",
        ],
        limit: 60)
      #expect(!run.wasSignalled, "\(name) \(tried), seed \(seed): signal \(run.status)")
      if run.status == 0 { played += 1 } else { #expect(try !checks(name)) }
    }
    print("\(name): tried \(tried), passed by the check \(passed), played \(played)")
    return (passed, played)
  }

  @Test func `no font that the check passes ends FluidSynth by a signal`() throws {
    let (passed, played) = try play("font.sf2", seed: 204, mutation)
    #expect(played * 10 > passed * 8)
  }

  @Test func `nor does one whose Vorbis is broken behind a right checksum`() throws {
    let wave = try scratch.write(
      "cosine.wav",
      WaveBytes.file(frames: 2000, channels: 1) { frame, _ in
        frame % 100 < 50 ? 0.5 : -0.5
      })
    let ogg = scratch.path("cosine.ogg")
    #expect(try CommandRun(["sound", "convert", wave, "-o", ogg]).status == 0)
    let stream = [UInt8](try Data(contentsOf: URL(fileURLWithPath: ogg)))
    #expect(passes(TinySoundFont.compressed(stream)))
    #expect(!passes(TinySoundFont.compressed(Array(stream.dropLast(9)))))
    _ = try play("font.sf3", seed: 304) { random in
      var bytes = stream
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        change(&bytes, 0..<bytes.count, &random)
      }
      OggPages.seal(&bytes)
      return TinySoundFont.compressed(bytes)
    }
  }
}
