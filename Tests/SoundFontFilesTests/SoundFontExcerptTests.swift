// SPDX-License-Identifier: Apache-2.0
import Foundation
import SoundFontFiles
import TestSupport
import Testing

@Suite struct SoundFontExcerptTests {
  private let whole: [UInt8]
  private let font: SoundFontTables

  init() throws {
    let folder = ToolRun.packageFolder
    whole = [UInt8](
      try FileContent.data(folder.appendingPathComponent("Soundfonts/Downbeat.sf2").path))
    font = try SoundFontTables(FontBytes(whole))
  }

  /// The file that an excerpt describes.
  private func file(_ excerpt: SoundFontExcerpt) -> [UInt8] {
    var file = Array(whole[..<excerpt.ownByteCount]) + excerpt.tables
    for index in 0..<4 { file[4 + index] = UInt8(excerpt.size >> (8 * index) & 0xFF) }
    return file
  }

  /// A preset's zones, with their samples instead of indices.
  private func zones(
    _ preset: SoundFontTables.Preset, _ font: SoundFontTables
  ) -> [[Int: [Int]]] {
    let samples = font.samples
    return preset.instruments.flatMap(font.zones(ofInstrument:)).map { zone in
      var generators = zone.generators.mapValues { [$0] }
      let sample = samples[zone.sample]
      generators[53] = [sample.place.lowerBound, sample.loop.lowerBound, sample.rate, sample.key]
      return generators
    }
  }

  @Test(arguments: [[0], [0, 24, 40], [127], Array(0...127)])
  func `an excerpt is a font with some presets, unchanged`(programs: [Int]) throws {
    let excerpt = try #require(font.excerpt(programs: Set(programs)))
    let bytes = FontBytes(file(excerpt))
    let part = try SoundFontTables(bytes)
    let wanted = font.presets.filter { programs.contains($0.program) }
    #expect(part.presets.map(\.name) == wanted.map(\.name))
    #expect(part.presets.map(\.bank) == wanted.map(\.bank))
    for (mine, theirs) in zip(part.presets, wanted) {
      #expect(zones(mine, part) == zones(theirs, font))
    }
    #expect(part.sampleData == font.sampleData)
    #expect(try part.findings(in: bytes).isEmpty)
  }

  @Test func `an excerpt with fewer presets is smaller`() throws {
    let sizes = try [[0], [0, 24, 40], Array(0...127)].map {
      try #require(font.excerpt(programs: Set($0))).tables.count
    }
    #expect(sizes == sizes.sorted())
    #expect(sizes[0] * 10 < sizes[2])
  }

  @Test func `an excerpt without presets is nil`() throws {
    let tiny = try SoundFontTables(FontBytes(TinySoundFont.bytes))
    #expect(tiny.excerpt(programs: [77]) == nil)
  }

  @Test func `excerpts of damaged fonts are not read out of bounds`() throws {
    var random = SplitMix(seed: 19)
    var made = 0
    for _ in 0..<3000 {
      var font = TinySoundFont.bytes
      for _ in 0...2 {
        font[Int.random(in: 0..<font.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      do {
        let tables = try SoundFontTables(FontBytes(font))
        if tables.excerpt(programs: [0, 1]) != nil { made += 1 }
      } catch {
        continue
      }
    }
    #expect(made > 100)
  }
}
