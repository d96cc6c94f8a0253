// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import SoundFontVoices

@Suite struct ZoneIndexTests {
  private typealias Zone = FontBuilder.Zone
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func bank(_ font: FontBuilder) throws -> PatchBank {
    try PatchBank(fontAt: scratch.write("font.sf2", font.bytes))
  }

  @Test func `regions are the pairs of zones that share a key and a velocity, in order`()
    throws
  {
    var random = SplitMix(seed: 41)
    for round in 0..<40 {
      // The velocity range must be second: a range elsewhere is ignored.
      let ranges = { (random: inout SplitMix) in
        [43, 44].map { kind in
          (
            kind,
            [Int.random(in: 0...150, using: &random), Int.random(in: 0...150, using: &random)]
          )
        }
      }
      let presets = (0..<20).map { _ in ranges(&random) }
      let instruments = (0..<(round % 2 == 0 ? 150 : 40)).map { _ in ranges(&random) }
      let zones = { (all: [[(Int, [Int])]], link: Int) in
        all.map { Zone($0.map { ($0.0, $0.1[0] | $0.1[1] << 8) } + [(link, 0)]) }
      }
      let font = FontBuilder(preset: zones(presets, 41), instrument: zones(instruments, 53))
      var expected: [[Int]] = []
      for preset in presets.reversed() {
        for zone in instruments.reversed() {
          let pairs = (0..<2).map {
            [max(preset[$0].1[0], zone[$0].1[0]), min(preset[$0].1[1], zone[$0].1[1])]
          }
          if pairs.allSatisfy({ $0[0] <= min(127, $0[1]) }) {
            expected.append(pairs.flatMap { $0 })
          }
        }
      }
      let found = try bank(font).list().map {
        [Int($0.lowKey), Int($0.highKey), Int($0.lowVelocity), Int($0.highVelocity)]
      }
      #expect(found == expected)
    }
  }

  @Test func `a font with more than 64 regions for each zone is refused`() throws {
    let zones = { (link: Int) in (0..<300).map { _ in Zone([(link, 0)]) } }
    let path = try scratch.write(
      "all.sf2", FontBuilder(preset: zones(41), instrument: zones(53)).bytes)
    #expect(throws: SoundFontVoicesError.tooManyRegions(path: path)) {
      try PatchBank(fontAt: path)
    }
    let few = FontBuilder(
      preset: Array(zones(41).prefix(100)), instrument: Array(zones(53).prefix(100)))
    #expect(try bank(few).list().count == 10_000)
  }
}
