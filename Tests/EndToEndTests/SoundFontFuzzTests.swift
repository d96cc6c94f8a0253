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
      let place = Int.random(in: (isTable ? tables : 12)..<bytes.count, using: &random)
      bytes[place] =
        [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random)]
        .randomElement(using: &random) ?? 0
    }
    return bytes
  }

  private func passes(_ bytes: [UInt8]) -> Bool {
    do {
      let font = FontBytes(bytes)
      return try SoundFontTables(font).findings(in: font).isEmpty
    } catch {
      return false
    }
  }

  @Test func `no font that the check passes ends FluidSynth by a signal`() throws {
    var random = SplitMix(seed: 204)
    var (tried, passed, loaded) = (0, 0, 0)
    while passed < Self.wanted {
      tried += 1
      let bytes = mutation(&random)
      guard passes(bytes) else { continue }
      passed += 1
      let font = try scratch.write("font.sf2", bytes)
      let run = try ToolRun(
        [
          "render", song, "-o", scratch.path("out.wav"), "--overwrite", "-q", "-s", font,
          "--length", "1s",
        ],
        limit: 60)
      #expect(!run.wasSignalled, "font \(tried), seed 204: signal \(run.status)")
      if run.status == 0 { loaded += 1 }
    }
    print("fonts tried \(tried), passed by the check \(passed), played \(loaded), crashes 0")
    #expect(loaded * 10 > passed * 8)
  }
}
