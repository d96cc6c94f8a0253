// SPDX-License-Identifier: Apache-2.0
import SoundFontFiles
import TestSupport
import Testing

@Suite struct DLSFontTests {
  private typealias Modulator = SoundFontDocument.Modulator
  private typealias Zone = SoundFontDocument.Zone

  private func open(
    _ file: TinyDLS
  ) throws(SoundFontError) -> (tables: SoundFontTables, document: SoundFontDocument) {
    let (tables, bytes) = try SoundFontTables.open(FontBytes(file.bytes))
    return (tables, try SoundFontDocument(bytes))
  }

  /// The only zone of the first instrument.
  private func zone(_ file: TinyDLS) throws -> Zone {
    let zones = try open(file).document.instruments[0].zones
    #expect(zones.count == 1)
    return try #require(zones.last)
  }

  private func amounts(_ zone: Zone) -> [UInt16: Int16] {
    Dictionary(uniqueKeysWithValues: zone.generators.map { ($0.kind, $0.value) })
  }

  private func file(_ connections: [(Int, Int, Int, Int, Double)], level: Int = 2) -> TinyDLS {
    var file = TinyDLS()
    file.instruments[0].articulation = TinyDLS.articulation(level: level, connections)
    return file
  }

  private func frames(_ file: TinyDLS, sample index: Int = 0) throws -> [Int16] {
    let (tables, bytes) = try SoundFontTables.open(FontBytes(file.bytes))
    let sample = tables.samples[index]
    let start = tables.sampleData.lowerBound
    let stored = try bytes.bytes(
      start + 2 * sample.place.lowerBound..<start + 2 * sample.place.upperBound)
    return stride(from: 0, to: stored.count, by: 2).map {
      Int16(truncatingIfNeeded: Int(stored[$0]) | Int(stored[$0 + 1]) << 8)
    }
  }

  @Test func `a file becomes a soundfont with its presets, samples and loops`() throws {
    let file = TinyDLS()
    let (tables, document) = try open(file)
    #expect(tables.format == .dls(level: 1))
    #expect("\(tables.format)" == "DLS 1")
    #expect(tables.name == "tiny")
    #expect(tables.presets.map { [$0.bank, $0.program] } == [[0, 0]])
    #expect(tables.presets[0].name == "instrument")
    let sample = tables.samples[0]
    #expect(sample.name == "wave")
    #expect(sample.place.count == 80 && sample.rate == 44_100 && sample.key == 60)
    #expect(sample.loop.lowerBound - sample.place.lowerBound == 16 && sample.loop.count == 48)
    #expect(document.instruments[0].zones.count == 1)
    #expect(try frames(file).prefix(4) == [0, 7071, 10_000, 7071])
    #expect(try amounts(zone(file)) == [54: 1, 53: 0])
  }

  @Test func `a soundfont is returned unchanged`() throws {
    let bytes = FontBytes(TinySoundFont.bytes)
    #expect(try SoundFontTables.open(bytes).tables.format == .soundFont(major: 2, minor: 1))
    #expect(SoundFontTables.isFont(bytes) && SoundFontTables.isFont(FontBytes(TinyDLS().bytes)))
    #expect(!SoundFontTables.isFont(FontBytes(Array("RIFF1234WAVE".utf8))))
    #expect(!SoundFontTables.isFont(FontBytes([])))
  }

  @Test(arguments: [
    // Source, control, destination, amount; generator and its amount (DLS 2.2, tables 9 and 10).
    ([0, 0, 0x004], -250.0, 17, -250), ([0, 0, 0x080], 300, 15, 300),
    ([0, 0, 0x081], 400, 16, 400),
    ([0, 0, 0x104], -851, 22, -851), ([0, 0, 0x105], -3986, 21, -3986),
    ([0, 0, 0x114], 100, 24, 100), ([0, 0, 0x115], -1200, 23, -1200),
    ([0, 0, 0x206], -2400, 34, -2400), ([0, 0, 0x207], 1200, 36, 1200),
    ([0, 0, 0x209], -1200, 38, -1200), ([0, 0, 0x20A], 500, 37, 480), ([0, 0, 0x20A], 0, 37, 960),
    ([0, 0, 0x20B], -600, 33, -600), ([0, 0, 0x20C], -500, 35, -500),
    ([0, 0, 0x30A], -2400, 26, -2400), ([0, 0, 0x30B], 1200, 28, 1200),
    ([0, 0, 0x30D], -1200, 30, -1200), ([0, 0, 0x30E], 250, 29, 750),
    ([0, 0, 0x30F], -600, 25, -600), ([0, 0, 0x310], -500, 27, -500),
    ([0, 0, 0x500], 9000, 8, 9000), ([0, 0, 0x501], 120, 9, 120),
    ([0, 0, 0x001], -60, 48, 150), ([0, 0, 0x003], 150, 51, 1), ([0, 0, 0x003], 150, 52, 50),
    ([1, 0, 0x003], 20, 5, 20), ([1, 0, 0x500], 600, 10, 600), ([1, 0, 0x001], 30, 13, 30),
    ([9, 0, 0x003], 25, 6, 25), ([5, 0, 0x003], 1200, 7, 1200), ([5, 0, 0x500], 2400, 11, 2400),
    ([3, 0, 0x003], 6400, 56, 50), ([3, 0, 0x003], 0, 56, 0),
    ([0, 0, 0x005], 60, 46, 60), ([0, 0, 0x005], 0, 46, 0),
  ])
  func `a constant connection becomes a generator`(
    blocks: [Int], amount: Double, kind: UInt16, expected: Int16
  ) throws {
    let file = file([(blocks[0], blocks[1], blocks[2], 0, amount)])
    #expect(try amounts(zone(file))[kind] == expected)
    #expect(try open(file).tables.format == .dls(level: 2))
  }

  @Test func `an oscillator in use runs at 5 Hz after 10 ms unless the file sets it`() throws {
    #expect(try amounts(zone(file([(1, 0, 3, 0, 20)])))[22] == -851)
    #expect(try amounts(zone(file([(1, 0, 3, 0, 20)])))[21] == -7973)
    #expect(try amounts(zone(file([(1, 0, 3, 0, 20), (0, 0, 0x104, 0, 7)])))[22] == 7)
    #expect(try amounts(zone(file([(9, 0x81, 3, 0, 20)])))[24] == -851)
    #expect(try amounts(zone(file([])))[22] == nil)
  }

  @Test(arguments: [
    // Source, control, destination, transform, amount; the five words of the modulator.
    ([0x81, 0, 0x003, 0, 50], [0x081, 52, 50, 0, 0]),
    ([1, 0x81, 0x003, 0, 50], [0x081, 5, 50, 0, 0]),
    ([0x81, 1, 0x003, 0, 50], [0x081, 5, 50, 0, 0]),
    ([9, 8, 0x003, 0x4000, 30], [0x00D, 6, 30, 0, 0]),
    ([0, 0x81, 0x500, 0x110, 100], [0x681, 8, 100, 0, 0]),
    ([2, 0, 0x500, 0x8400, -2400], [0x502, 8, -2400, 0, 0]),
    ([2, 0x87, 0x206, 0x4800 | 0x230, 1200], [0xA02, 34, 1200, 0xD87, 0]),
    ([3, 0, 0x207, 0, -4800], [0x003, 36, -4800, 0, 0]),
    ([7, 0, 0x001, 0, 60], [0x00A, 48, -60, 0, 0]),
    ([2, 0, 0x20A, 0, 1000], [0x002, 37, -960, 0, 0]),
    ([2, 0, 0x30E, 0, 1000], [0x002, 29, -1000, 0, 0]),
    ([6, 0x100, 0x003, 0x4000, 6400], [0x20E, 52, 6400, 0x010, 0]),
    ([0x8A, 0, 0x004, 0x4000, 200], [0x28A, 17, 200, 0, 0]),
  ])
  func `a connection with a source becomes a modulator`(
    block: [Int], expected: [Int]
  ) throws {
    let file = file([(block[0], block[1], block[2], block[3], Double(block[4]))])
    let modulators = try zone(file).modulators
    let words = expected.map { UInt16(truncatingIfNeeded: $0) }
    #expect(
      modulators == [
        Modulator(
          source: words[0], destination: words[1], amount: Int16(expected[2]),
          amountSource: words[3])
      ])
  }

  @Test func `a standard connection with another curve replaces the standard's`() throws {
    // Velocity to gain, linear and decreasing, instead of concave.
    let file = file([(2, 0, 1, 0x8000, -400)])
    #expect(
      try zone(file).modulators == [
        Modulator(source: 0x502, destination: 48, amount: 0),
        Modulator(source: 0x102, destination: 48, amount: 400),
      ])
    // The same curve; only the amount differs.
    #expect(
      try zone(self.file([(2, 0, 1, 0x8400, -480)])).modulators == [
        Modulator(source: 0x502, destination: 48, amount: 480)
      ])
    // Without the bit for decreasing, a loud note would be silent.
    #expect(
      try zone(self.file([(2, 0, 1, 0x0400, -960)])).modulators == [
        Modulator(source: 0x502, destination: 48, amount: 960)
      ])
  }

  @Test func `pan, wheel and oscillators of level 1 are bipolar`() throws {
    let file = file(
      [(2, 0, 1, 1, -960), (0x8A, 0, 4, 0, 400), (6, 0x100, 3, 0, 12_800), (1, 0x81, 3, 0, 40)],
      level: 1)
    #expect(try open(file).tables.format == .dls(level: 1))
    #expect(
      try zone(file).modulators == [
        Modulator(source: 0x502, destination: 48, amount: 960),
        Modulator(source: 0x28A, destination: 17, amount: 400),
        Modulator(source: 0x20E, destination: 52, amount: 12_800, amountSource: 0x010),
        Modulator(source: 0x081, destination: 5, amount: 40),
      ])
  }

  @Test func `every voice has the standard connections of DLS`() throws {
    // Source: DLS 2.2, table 6; -96 dB, 50.8 %, 100 %, 12,800 cents.
    #expect(
      try open(TinyDLS()).document.defaultModulators == [
        Modulator(source: 0x502, destination: 48, amount: 960),
        Modulator(source: 0x587, destination: 48, amount: 960),
        Modulator(source: 0x58B, destination: 48, amount: 960),
        Modulator(source: 0x28A, destination: 17, amount: 508),
        Modulator(source: 0x0DB, destination: 16, amount: 1000),
        Modulator(source: 0x0DD, destination: 15, amount: 1000),
        Modulator(source: 0x20E, destination: 52, amount: 12_800, amountSource: 0x010),
      ])
  }

  @Test func `the last of equal connections is used`() throws {
    let file = file([(0, 0, 0x206, 0, -2400), (0, 0, 0x206, 0, -1200)])
    #expect(try amounts(zone(file))[34] == -1200)
  }

  @Test func `connections of level 2 replace those of level 1`() throws {
    var file = TinyDLS()
    file.instruments[0].articulation =
      TinyDLS.articulation(level: 2, [(0, 0, 0x206, 0, -600)])
      + TinyDLS.articulation(level: 1, [(0, 0, 0x206, 0, -2400), (0, 0, 0x207, 0, 100)])
    #expect(try amounts(zone(file))[34] == -600)
    #expect(try amounts(zone(file))[36] == nil)
  }

  @Test func `a region's connections replace its instrument's`() throws {
    var file = file([(0, 0, 0x206, 0, -2400), (0, 0, 0x207, 0, 100)])
    file.instruments[0].regions[0].articulation =
      TinyDLS.articulation([(0, 0, 0x206, 0, -1200)])
    #expect(try amounts(zone(file)) == [34: -1200, 54: 1, 53: 0])
  }

  @Test func `a region's tuning, gain and loop replace its wave's`() throws {
    var file = TinyDLS()
    file.waves[0].sample = TinyDLS.sample(key: 60, tuning: 20, gain: -655_360, loop: 16..<64)
    var other = TinyDLS.Region()
    other.keys = 64...127
    other.sample = TinyDLS.sample(key: 72, tuning: -130, gain: 0, loop: 8..<72, type: 1)
    file.instruments[0].regions[0].keys = 0...63
    file.instruments[0].regions.append(other)
    let (tables, document) = try open(file)
    let zones = document.instruments[0].zones.map(amounts)
    #expect(zones.count == 2)
    #expect(zones[0] == [43: 0x3F00, 48: 25, 54: 1, 53: 0])
    #expect(zones[1] == [43: 0x7F40, 52: -2, 54: 3, 53: 1])
    #expect(tables.samples.map(\.key) == [60, 72])
    #expect(tables.samples.map(\.correction) == [20, -128])
    #expect(tables.samples[1].loop.count == 64)
  }

  @Test(arguments: [
    (-60.0, 150, 0), (60, -150, 60), (0.5, -1, 1), (300, -750, 120), (-32_768, 32_767, 0),
  ])
  func `a gain in 0.1 dB becomes an attenuation, and above 0 a boost`(
    gain: Double, attenuation: Int16, boost: Int16
  ) throws {
    var file = TinyDLS()
    file.waves[0].sample = TinyDLS.sample(gain: Int(gain * 65_536))
    let found = try amounts(zone(file))
    #expect(found[48] ?? 0 == attenuation)
    #expect(found[49] ?? 0 == boost)
  }

  @Test func `a fraction of a cent per key becomes a modulator around the wave's key`() throws {
    // 12,768 / 128 = 99.75 cents per key: 100, minus 32 cents at key 128, and 15 at key 60.
    let found = try zone(file([(3, 0, 3, 0, 12_768)]))
    #expect(amounts(found)[56] == nil)
    #expect(amounts(found)[52] == 15)
    #expect(found.modulators == [Modulator(source: 3, destination: 52, amount: -32)])
  }

  @Test func `settings that all regions have are in a global zone`() throws {
    var file = file([(0, 0, 0x206, 0, -2400), (0x81, 0, 0x500, 0, 100)])
    file.instruments[0].regions = [0...59, 60...127].map { keys in
      var region = TinyDLS.Region()
      region.keys = keys
      return region
    }
    let zones = try open(file).document.instruments[0].zones
    #expect(zones.map(\.modulators.count) == [1, 0, 0])
    #expect(amounts(zones[0]) == [34: -2400, 54: 1])
    #expect(amounts(zones[1]) == [43: 59 << 8, 53: 0])
  }

  @Test func `key groups and velocities are those of the zone; 0 to 0 means all`() throws {
    var file = TinyDLS()
    file.instruments[0].regions[0].group = 5
    file.instruments[0].regions[0].velocities = 10...100
    #expect(try amounts(zone(file)) == [44: 100 << 8 | 10, 54: 1, 57: 5, 53: 0])
    file.instruments[0].regions[0].velocities = 0...0
    #expect(try amounts(zone(file))[44] == nil)
  }

  @Test(arguments: [
    (1, 8, [0, 128, 255, 64], [-32_768, 0, 32_512, -16_384]),
    (1, 16, [0x34, 0x12, 0xFF, 0xFF], [0x1234, -1]),
    (1, 24, [1, 0x34, 0x12, 0xFF, 0, 0x80], [0x1234, -32_768]),
    (1, 32, [9, 9, 0x34, 0x12, 0xFF, 0xFF, 0xFF, 0x7F], [0x1234, 0x7FFF]),
    // G.711: the least and the greatest of both signs.
    (6, 8, [0xD5, 0x55, 0xAA, 0x2A], [8, -8, 32_256, -32_256]),
    (7, 8, [0xFF, 0x7F, 0x80, 0x00], [0, 0, 32_124, -32_124]),
  ])
  func `samples of 8 to 32 bits, A-law and µ-law become 16-bit frames`(
    format: Int, bits: Int, data: [Int], expected: [Int]
  ) throws {
    var file = TinyDLS()
    file.waves[0].format = format
    file.waves[0].bits = bits
    file.waves[0].sample = nil
    file.waves[0].data = data.map { UInt8($0) }
    #expect(try frames(file).map(Int.init) == expected)
  }

  @Test func `a stereo wave becomes a left and a right sample`() throws {
    var file = TinyDLS()
    file.waves[0].channels = 2
    file.waves[0].sample = nil
    file.waves[0].data = [1, 0, 2, 0, 3, 0, 4, 0]
    let (tables, document) = try open(file)
    #expect(tables.samples.count == 2)
    #expect(try frames(file, sample: 0) == [1, 3])
    #expect(try frames(file, sample: 1) == [2, 4])
    let pans = document.instruments[0].zones.map { amounts($0)[17] }
    #expect(pans == [-500, 500])
    #expect(document.samples.map(\.kind) == [4, 2])
    #expect(document.samples.map(\.link) == [1, 0])
  }

  @Test func `two regions in phase with different channels are left and right`() throws {
    var file = TinyDLS()
    file.waves.append(file.waves[0])
    file.instruments[0].regions.append(TinyDLS.Region())
    for index in 0...1 {
      file.instruments[0].regions[index].phaseGroup = 1
      file.instruments[0].regions[index].channels = index + 1
      file.instruments[0].regions[index].wave = index
    }
    let zones = try open(file).document.instruments[0].zones
    #expect(zones.compactMap { amounts($0)[17] } == [-500, 500])
  }

  @Test func `frames are also read at odd positions`() throws {
    var file = TinyDLS()
    file.waves[0].bits = 8
    file.waves[0].sample = nil
    file.waves[0].data = [129, 130, 131]
    let (tables, bytes) = try SoundFontTables.open(FontBytes(file.bytes))
    let start = tables.sampleData.lowerBound
    #expect(try bytes.bytes(start + 1..<start + 4) == [1, 0, 2])
  }
}
