// SPDX-License-Identifier: Apache-2.0
import SoundFontFiles
import TestSupport
import Testing

@Suite struct DLSTransformTests {
  private typealias Modulator = SoundFontDocument.Modulator
  private typealias Zone = SoundFontDocument.Zone

  /// The only zone of a file of level 2 with connections.
  private func zone(_ connections: [(Int, Int, Int, Int, Double)], gain: Int = 0) throws -> Zone {
    var file = TinyDLS()
    file.waves[0].sample = TinyDLS.sample(gain: gain << 16)
    file.instruments[0].articulation = TinyDLS.articulation(connections)
    let (_, bytes) = try SoundFontTables.open(FontBytes(file.bytes))
    return try #require(try SoundFontDocument(bytes).instruments[0].zones.last)
  }

  private func amount(_ kind: UInt16, _ zone: Zone) -> Int16? {
    zone.generators.first { $0.kind == kind }?.value
  }

  @Test func `the shape of an output is that of the source, as in level 1`() throws {
    #expect(
      try zone([(2, 0, 1, 1, -960)]).modulators == [
        Modulator(source: 0x502, destination: 48, amount: 960)
      ])
    // If the source has a shape, the bits of the output do not matter.
    #expect(
      try zone([(2, 0, 0x500, 0x8401, -2400)]).modulators == [
        Modulator(source: 0x502, destination: 8, amount: -2400)
      ])
  }

  @Test(arguments: [
    // Unipolar and bipolar, increasing and decreasing; cents per key.
    (0x0000, 6400.0, 50), (0x8000, 12_800, -100), (0x4000, 3200, 50), (0xC000, 6400, -100),
  ])
  func `the pitch of keys has the polarity and direction of its source`(
    transform: Int, amount: Double, cents: Int16
  ) throws {
    #expect(try self.amount(56, zone([(3, 0, 3, transform, amount)])) == cents)
  }

  @Test func `an inverted envelope decreases from its amount`() throws {
    let pitch = try zone([(5, 0, 3, 0x8000, 1200), (0, 0, 3, 0, 150)])
    #expect(amount(7, pitch) == -1200)
    #expect(amount(51, pitch) == 13 && amount(52, pitch) == 50)
    let cutoff = try zone([(5, 0, 0x500, 0x8000, 1200), (0, 0, 0x500, 0, 6000)])
    #expect(amount(11, cutoff) == -1200 && amount(8, cutoff) == 7200)
    // The default cutoff is 13,500 cents.
    let rising = try zone([(5, 0, 0x500, 0x8000, -2400)])
    #expect(amount(11, rising) == 2400 && amount(8, rising) == 11_100)
  }

  @Test func `a control scales all of an inverted envelope`() throws {
    #expect(
      try zone([(0x81, 0, 3, 0, 100), (5, 0x81, 3, 0x8000, 1200)]).modulators == [
        Modulator(source: 0x081, destination: 7, amount: -1200),
        Modulator(source: 0x081, destination: 52, amount: 1300),
      ])
  }

  @Test(
    arguments: [
      // The gain of the wave in 0.1 dB, the transform and gain of the source; the permitted gain.
      (0, 0x0000, 100.0, 100), (-40, 0x0000, 100, 60), (20, 0x0000, 30, 50), (0, 0x0000, -100, nil),
      (0, 0x4000, -30, 30), (0, 0x0000, 600, 120),
    ] as [(Int, Int, Double, Int16?)])
  func `the gain of a source can exceed that of the sample`(
    gain: Int, transform: Int, rise: Double, boost: Int16?
  ) throws {
    #expect(try amount(49, zone([(8, 0, 1, transform, rise)], gain: gain)) == boost)
  }
}
