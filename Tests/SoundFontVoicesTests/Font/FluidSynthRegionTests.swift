// SPDX-License-Identifier: Apache-2.0
import Foundation
import SoundFontFiles
import TestSupport
import Testing

@testable import SoundFontVoices

/// Regions compared with FluidSynth's voices: their number, their order and the values of their
/// generators.
@Suite struct FluidSynthRegionTests {
  private static let fonts = [
    "/usr/share/sounds/sf2/FluidR3_GM.sf2", "/usr/share/sounds/sf2/TimGM6mb.sf2",
    ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2").path,
  ]

  @Test(
    .enabled(if: FluidSynthWitness.isThere, "needs libfluidsynth3"),
    arguments: fonts.filter { FileManager.default.fileExists(atPath: $0) })
  func `every preset of a font has FluidSynth's voices`(path: String) throws {
    let bank = try PatchBank(fontAt: path)
    let witness = try FluidSynthWitness()
    try witness.load([path])
    for patch in 0..<bank.patchCount {
      try compare(bank, patch, with: witness, keys: 0...127, velocities: [1, 64, 100, 127])
    }
    #expect(bank.patchCount > 100)
  }

  @Test(.enabled(if: FluidSynthWitness.isThere, "needs libfluidsynth3"), arguments: 0..<40)
  func `random fonts have FluidSynth's voices`(seed: Int) throws {
    let scratch = try ScratchFolder()
    var random = SplitMix(seed: UInt64(seed))
    let path = try scratch.write("font.sf2", FontBuilder(random: &random).bytes)
    let bank = try PatchBank(fontAt: path)
    let witness = try FluidSynthWitness()
    try witness.load([path])
    for patch in 0..<bank.patchCount {
      try compare(bank, patch, with: witness, keys: 0...127, velocities: [1, 64, 127])
    }
  }

  /// Plays notes in both; the generators of the same regions are compared once.
  private func compare(
    _ bank: PatchBank, _ patch: Int, with witness: borrowing FluidSynthWitness,
    keys: ClosedRange<Int>, velocities: [Int]
  ) throws {
    let preset = bank.preset(of: patch)
    witness.select(bank: preset.bank, program: preset.program)
    let regions = bank.list(patch)
    var known: Set<[Int]> = []
    for key in keys {
      for velocity in velocities {
        let struck = regions.indices.filter { regions[$0].isStruck(key, velocity) }
        let voices = witness.strike(key: key, velocity: velocity)
        try #require(
          struck.count == voices.count, "preset \(preset), key \(key), velocity \(velocity)")
        guard known.insert(struck).inserted else { continue }
        for (index, voice) in zip(struck, voices) {
          for generator in 0..<59 {
            let (mine, theirs) = (
              regions[index].generators[generator], witness.amount(generator, of: voice)
            )
            try #require(
              abs(mine - theirs) <= abs(theirs).ulp,
              "preset \(preset), key \(key), generator \(generator)")
          }
        }
      }
    }
  }
}
