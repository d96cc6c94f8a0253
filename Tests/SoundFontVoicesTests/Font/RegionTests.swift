// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import SoundFontVoices

@Suite struct RegionTests {
  private typealias Zone = FontBuilder.Zone
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func bank(_ font: FontBuilder) throws -> PatchBank {
    try PatchBank(fontAt: scratch.write("font.sf2", font.bytes))
  }

  private func regions(preset: [Zone] = [Zone([(41, 0)])], instrument: [Zone]) throws -> [Region] {
    try bank(FontBuilder(preset: preset, instrument: instrument)).list()
  }

  @Test func `generators that no zone sets have the standard's defaults`() throws {
    let region = try #require(try regions(instrument: [Zone([(53, 0)])]).first)
    for generator in 0..<61 {
      let expected: Float =
        switch generator {
        case 8: 13_500
        case 21, 23, 25...28, 30, 33...36, 38: -12_000
        case 46, 47, 58: -1
        case 56: 100
        default: 0
        }
      #expect(region.generators[generator] == expected, "generator \(generator)")
    }
    #expect(region.lowKey == 0 && region.highKey == 127)
    #expect(region.lowVelocity == 0 && region.highVelocity == 127)
  }

  @Test
  func `an instrument replaces, a preset adds, and a zone overrides its global zone`()
    throws
  {
    let regions = try regions(
      preset: [Zone([(9, 10), (17, 20), (52, 3)]), Zone([(17, -30), (41, 0)])],
      instrument: [Zone([(9, 100), (17, 200), (51, 7)]), Zone([(17, 5), (53, 0)])])
    #expect(regions.count == 1)
    let generators = regions[0].generators
    #expect(generators[9] == 110)
    #expect(generators[17] == -25)
    #expect(generators[51] == 7)
    #expect(generators[52] == 3)
  }

  @Test func `a preset sets no address, key, loop or class`() throws {
    let kinds = [0, 1, 2, 3, 4, 12, 45, 46, 47, 50, 54, 57, 58]
    let region = try #require(
      try regions(
        preset: [Zone(kinds.map { ($0, 3) } + [(41, 0)])],
        instrument: [Zone(kinds.map { ($0, 2) } + [(53, 0)])]
      ).first)
    for kind in kinds { #expect(region.generators[kind] == 2, "generator \(kind)") }
  }

  @Test func `attenuation is two fifths of the font's value, on both levels`() throws {
    let region = try #require(
      try regions(
        preset: [Zone([(48, 30), (41, 0)])], instrument: [Zone([(48, 101), (53, 0)])]
      ).first)
    #expect(abs(region.generators[48] - 52.4) < 1e-5)
  }

  @Test func `no attenuation is rounded up to the next whole centibel`() throws {
    var font = FontBuilder(instrument: [Zone([(48, 333), (53, 0)])])
    font.presets = (0..<400).map { amount in
      .init(bank: amount / 100, program: amount % 100, zones: [Zone([(48, amount), (41, 0)])])
    }
    let bank = try bank(font)
    for amount in 0..<400 {
      let patch = bank.patch(bank: amount / 100, program: amount % 100)
      let exact = Double(Float(amount) * 0.4) + Double(Float(333) * 0.4)
      #expect(Int(bank.list(patch)[0].generators[48]) == Int(exact), "amount \(amount)")
    }
  }

  @Test func `the last zones play first, if the note is in both levels' ranges`() throws {
    let range = Zone.range
    let regions = try regions(
      preset: [
        Zone([(43, range(0...80)), (52, 1), (41, 0)]),
        Zone([(44, range(20...127)), (52, 2), (41, 0)]),
      ],
      instrument: [
        Zone([(43, range(60...127)), (44, range(0...90)), (51, 1), (53, 0)]),
        Zone([(43, range(90...100)), (51, 2), (53, 0)]),
      ])
    #expect(regions.map { [$0.generators[52], $0.generators[51]] } == [[2, 2], [2, 1], [1, 1]])
    #expect(regions.map { [$0.lowKey, $0.highKey] } == [[90, 100], [60, 127], [60, 80]])
    #expect(
      regions.map { [$0.lowVelocity, $0.highVelocity] } == [[20, 127], [20, 90], [0, 90]])
  }

  @Test func `ranges are first, the link is last, and of two settings the second is used`() throws {
    let range = Zone.range
    let regions = try regions(
      instrument: [
        Zone([(9, 1), (43, range(1...2)), (9, 2), (44, range(3...4)), (53, 0), (9, 3)]),
        Zone([(44, range(3...4)), (43, range(1...2)), (53, 0)]),
        Zone([(43, range(1...2)), (43, range(5...6)), (44, range(7...8)), (53, 0)]),
      ])
    #expect(regions.map { [$0.lowKey, $0.lowVelocity] } == [[1, 7], [0, 3], [0, 0]])
    #expect(regions[2].generators[9] == 2)
  }

  @Test func `a zone without a link is global in first place and ignored elsewhere`() throws {
    var font = FontBuilder(
      instrument: [Zone([(9, 5), (53, 1)]), Zone([(53, 0)]), Zone([(9, 77)]), Zone([(53, 1)])])
    font.samples.append(.init(place: 0..<1000, loop: (0, 0), kind: 0x8001))
    let regions = try bank(font).list()
    // The ROM sample is inaudible, so the first zone is the global one.
    #expect(regions.map { $0.generators[9] } == [5])
  }

  @Test func `the louder font keeps its level, a lower gain is attenuation`() throws {
    let path = try scratch.write(
      "font.sf2", FontBuilder(instrument: [Zone([(48, 10), (53, 0)])]).bytes)
    let bank = try PatchBank(
      [.init(path: path, gain: 2), .init(path: path, bankOffset: 5, gain: 0.2)], programs: nil)
    #expect(bank.list(bank.patch(bank: 0, program: 0))[0].generators[48] == 4)
    #expect(abs(bank.list(bank.patch(bank: 5, program: 0))[0].generators[48] - 204) < 1e-3)
  }
}
