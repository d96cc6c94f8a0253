// SPDX-License-Identifier: Apache-2.0
import Foundation
import SoundFontFiles
import TestSupport
import Testing

@testable import SoundFontVoices

/// Regions against the voices that FluidSynth strikes: how many, in which order, and what each of
/// their generators is given.
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
      try compare(bank, patch, with: witness, keys: 0...127, velocities: [1, 40, 64, 90, 110, 127])
    }
    #expect(bank.patchCount > 100)
  }

  /// Strikes notes in both; the generators of the same regions are compared once.
  private func compare(
    _ bank: PatchBank, _ patch: Int, with witness: borrowing FluidSynthWitness,
    keys: ClosedRange<Int>, velocities: [Int]
  ) throws {
    let preset = bank.preset(of: patch)
    witness.select(bank: preset.bank, program: preset.program)
    let regions = unsafe Array(bank.regions(of: patch))
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
              abs(mine - theirs) < 1e-4, "preset \(preset), key \(key), generator \(generator)")
          }
        }
      }
    }
  }
}

extension PatchBank {
  /// All presets of one font, whose file was just written or is installed.
  convenience init(fontAt path: String, programs: Set<Int>? = nil) throws {
    try self.init([Layer(path: path)], programs: programs)
  }
}

extension PatchBank.Layer {
  init(path: String, bankOffset: Int = 0, gain: Float = 1) throws {
    let bytes = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { bytes.closeFile() }
    let count = Int(try bytes.seekToEnd())
    self.init(
      path: path,
      tables: try SoundFontTables(
        FontBytes(count: count) { (range) throws(SoundFontError) in
          do {
            try bytes.seek(toOffset: UInt64(range.lowerBound))
            return [UInt8](try bytes.read(upToCount: range.count) ?? Data())
          } catch {
            throw .unreadable(reason: "\(error)")
          }
        }), bankOffset: bankOffset, gain: gain)
  }
}

extension Region {
  func isStruck(_ key: Int, _ velocity: Int) -> Bool {
    (Int(lowKey)...Int(max(lowKey, highKey))).contains(key) && key <= Int(highKey)
      && velocity >= Int(lowVelocity) && velocity <= Int(highVelocity)
  }
}
