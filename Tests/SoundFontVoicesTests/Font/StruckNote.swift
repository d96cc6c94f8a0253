// SPDX-License-Identifier: Apache-2.0
import SoundFontFiles

@testable import SoundFontVoices

/// A note of a preset.
struct StruckNote: Hashable {
  var bank: Int
  var program: Int
  var key: UInt8
  var velocity: UInt8
}

extension PatchBank {
  /// The presets of a font in memory.
  convenience init(_ bytes: FontBytes) throws {
    let layer = PatchBank.Layer(
      path: "memory", bytes: bytes, tables: try SoundFontTables(bytes), bankOffset: 0, gain: 1)
    try self.init([layer], programs: nil)
  }

  /// The regions that a note plays, with all values that affect their sound.
  ///
  /// - Parameters:
  ///   - note: the note.
  ///   - modulators: the modulators of a region as text.
  /// - Returns: a text for each region, in their order.
  func sound(
    of note: StruckNote, modulators: ([Modulator]) -> String = { "\($0)" }
  ) -> [String] {
    let patch = patch(bank: note.bank, program: note.program)
    guard patch >= 0 else { return [] }
    load(patch)
    return list(patch).filter { $0.isStruck(Int(note.key), Int(note.velocity)) }.map { region in
      let generators = (0..<Generator.count).map { region.generators[$0] }
      return "\(region.lowKey) \(region.highKey) \(region.lowVelocity) \(region.highVelocity)"
        + " \(generators) \(modulators(region.modulatorList)) \(region.end - region.start)"
        + " \(region.loop) \(region.soundEnd - region.start) \(region.loopExcess)"
        + " \(region.rate) \(region.key) \(region.correction) \(region.noiseFloor)"
        + " \(sum(Int(region.start)..<Int(region.end)))"
    }
  }

  /// A hash of frames with their lower bytes.
  private func sum(_ frames: Range<Int>) -> UInt64 {
    frames.reduce(5381) { sum, place in
      let low = unsafe lowBytes.map { unsafe UInt64($0[place]) } ?? 0
      let frame = unsafe UInt64(UInt16(bitPattern: samples[place])) << 8 | low
      return sum &* 0x100_0000_01B3 ^ frame
    }
  }
}
