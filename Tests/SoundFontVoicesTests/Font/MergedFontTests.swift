// SPDX-License-Identifier: Apache-2.0
import SoundFontFiles
import TestSupport
import Testing

@testable import SoundFontVoices

/// Two merged fonts, which sound as each does alone.
@Suite struct MergedFontTests {
  /// A random font without non-standard curves.
  private func font(_ random: inout SplitMix) -> FontBuilder {
    var font = FontBuilder(random: &random)
    for index in font.instruments.indices {
      for zone in font.instruments[index].indices {
        font.instruments[index][zone].modulators.removeAll { $0.contains(0x1402) }
      }
    }
    return font
  }

  /// Modulators as a set, without the modulator for a channel's balance, which a font cannot
  /// replace.
  private static func set(_ modulators: [Modulator]) -> String {
    modulators.filter { $0.generator != 60 }.map { "\($0)" }.sorted().joined()
  }

  @Test func `random fonts sound as before, whatever their default modulators`() throws {
    var sounding = 0
    for seed in UInt64(0)..<200 {
      var random = SplitMix(seed: seed)
      var fonts = [font(&random), font(&random)]
      if seed % 4 > 0 {
        fonts[Int(seed % 2)].defaultModulators = [
          [0x502, 48, 500, 0, 0], [0x081, 6, 20, 0, 0], [0x582, 8, -600, 0, 0],
        ]
      }
      let alone = try fonts.map { try PatchBank(FontBytes($0.bytes)) }
      var document = try SoundFontDocument(FontBytes(fonts[0].bytes))
      document.append(try SoundFontDocument(FontBytes(fonts[1].bytes)), bankOffset: 10)
      let merged = try PatchBank(SoundFontWriter.bytes(of: document))
      for _ in 0..<20 {
        let number = Int.random(in: 0...1, using: &random)
        var note = StruckNote(
          bank: 0, program: Int.random(in: 0...1, using: &random),
          key: UInt8.random(in: 0...127, using: &random),
          velocity: UInt8.random(in: 1...127, using: &random))
        let expected = alone[number].sound(of: note, modulators: Self.set)
        note.bank = 10 * number
        #expect(merged.sound(of: note, modulators: Self.set) == expected, "seed \(seed): \(note)")
        if !expected.isEmpty { sounding += 1 }
      }
    }
    #expect(sounding > 200, "\(sounding)")
  }
}
