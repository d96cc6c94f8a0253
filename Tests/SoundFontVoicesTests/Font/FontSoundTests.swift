// SPDX-License-Identifier: Apache-2.0
import Foundation
import SoundFontFiles
import TestSupport
import Testing

@testable import SoundFontVoices

/// The sound of random fonts.
@Suite struct FontSoundTests {
  private typealias Cue = Duet.Cue

  /// Notes with modulation and bends.
  private func cues(_ random: inout SplitMix) -> [Cue] {
    var cues = [Cue(0, 0xC0, UInt8.random(in: 0...1, using: &random))]
    for quantum in stride(from: 0, to: 200, by: 10) {
      let key = UInt8.random(in: 0...127, using: &random)
      cues.append(Cue(quantum, 0x90, key, UInt8.random(in: 1...127, using: &random)))
      cues.append(Cue(quantum + 4, 0xB0, 1, UInt8.random(in: 0...127, using: &random)))
      cues.append(Cue(quantum + 5, 0xE0, 0, UInt8.random(in: 0...127, using: &random)))
      cues.append(Cue(quantum + 8, 0x80, key))
    }
    return cues
  }

  @Test(.enabled(if: Duet.isThere, "needs libfluidsynth3"))
  func `random fonts sound if they do in FluidSynth`() throws {
    let scratch = try ScratchFolder()
    var heard = 0
    for seed in UInt64(0)..<120 {
      var random = SplitMix(seed: seed)
      let duet = try Duet(scratch.write("font.sf2", FontBuilder(random: &random).bytes))
      let cues = cues(&random)
      let (theirs, ours) = (try duet.theirs(cues, quanta: 250), duet.ours(cues, quanta: 250))
      let sounds = [theirs, ours].map { sound in sound.joined().contains { abs($0) > 1e-5 } }
      #expect(sounds[0] == sounds[1], "seed \(seed)")
      if sounds[0] { heard += 1 }
    }
    #expect(heard > 30)
  }

  @Test(.enabled(if: Duet.isThere, "needs libfluidsynth3"))
  func `of two presets with one number both engines play the last`() throws {
    let scratch = try ScratchFolder()
    let cues = [Cue(0, 0x90, 60, 100)]
    let presets = [0, 1200].map { cents in
      FontBuilder.Preset(zones: [FontBuilder.Zone([(52, cents), (41, 0)])])
    }
    var sounds: [Duet.Sound] = []
    for (name, presets) in [("both.sf2", presets), ("last.sf2", [presets[1]])] {
      var font = FontBuilder()
      font.presets = presets
      let duet = try Duet(scratch.write(name, font.bytes))
      sounds.append(duet.ours(cues, quanta: 50))
      #expect(try duet.difference(cues, quanta: 50) < -30, "\(name)")
    }
    #expect(sounds[0] == sounds[1])
  }

  @Test func `damaged fonts give finite samples`() throws {
    let scratch = try ScratchFolder()
    var random = SplitMix(seed: 5)
    var played = 0
    for _ in 0..<150 {
      var bytes = FontBuilder(random: &random).bytes
      for _ in 0...4 {
        bytes[Int.random(in: 2092..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      do { _ = try SoundFontTables(FontBytes(bytes)) } catch { continue }
      played += 1
      let duet = try Duet(scratch.write("font.sf2", bytes))
      let sound = duet.ours(cues(&random), quanta: 220)
      #expect(sound.joined().allSatisfy { $0.isFinite })
    }
    #expect(played > 50)
  }
}
