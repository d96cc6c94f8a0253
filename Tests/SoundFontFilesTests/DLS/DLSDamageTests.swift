// SPDX-License-Identifier: Apache-2.0
import SoundFontFiles
import Synchronization
import TestSupport
import Testing

@Suite struct DLSDamageTests {
  private func findings(_ file: TinyDLS) throws -> [String] {
    let (tables, bytes) = try SoundFontTables.open(FontBytes(file.bytes))
    return try tables.findings(in: bytes).map(\.description)
  }

  private func error(_ bytes: [UInt8]) throws -> String {
    let error = try #require(throws: SoundFontError.self) {
      _ = try SoundFontTables.open(FontBytes(bytes))
    }
    return "\(error)"
  }

  /// A file in which bytes are replaced at the first occurrence of four characters.
  private func changed(
    _ name: String, at offset: Int, to value: Int, _ file: TinyDLS = TinyDLS()
  ) throws -> [UInt8] {
    var bytes = file.bytes
    let letters = Array(name.utf8)
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: letters) })
    bytes.replaceSubrange(
      place + offset..<place + offset + 4, with: TinyDLS.number(value))
    return bytes
  }

  @Test func `an undamaged file is without findings`() throws {
    #expect(try findings(TinyDLS()) == [])
  }

  @Test func `a truncated file is refused with both lengths`() throws {
    let bytes = TinyDLS().bytes
    #expect(
      try error(bytes.dropLast(10))
        == "the soundfont is truncated: \(bytes.count - 10) of \(bytes.count) bytes (copy it again)"
    )
    #expect(try error(changed("RIFF", at: 4, to: 0x7FFF_FFFF)).contains("truncated"))
  }

  @Test func `a size that includes the header is accepted`() throws {
    var bytes = TinyDLS().bytes
    bytes.replaceSubrange(4..<8, with: TinyDLS.number(bytes.count))
    #expect(try SoundFontTables.open(FontBytes(bytes)).tables.presets.count == 1)
  }

  @Test func `a chunk that exceeds its list is reported with its position`() throws {
    for (name, offset) in [("insh", 4), ("rgnh", 4), ("lins", -4), ("ptbl", 4)] {
      for size in [0x7FFF_FFFF, 0xFFFF_FFFF, 600] {
        let error = try error(changed(name, at: offset, to: size))
        #expect(error.contains("runs past its list"), "\(name) \(size): \(error)")
      }
    }
  }

  @Test func `missing chunks are reported`() throws {
    #expect(try error(changed("lins", at: 0, to: 0x2020_2020)).contains("'lins' is missing"))
    #expect(try error(changed("wvpl", at: 0, to: 0x2020_2020)).contains("'wvpl' is missing"))
    #expect(try error(changed("ptbl", at: 0, to: 0x2020_2020)).contains("'ptbl' is missing"))
    var file = TinyDLS()
    file.instruments = []
    #expect(try error(file.bytes).contains("instruments are missing"))
  }

  @Test(arguments: [1, 2, 1 << 16, 0x7FFF_FFFF, 0xFFFF_FFFF])
  func `a link to a missing wave is silent and reported`(wave: Int) throws {
    var file = TinyDLS()
    file.instruments[0].regions[0].wave = wave
    #expect(
      try findings(file) == [
        "wave \(wave + 1): is missing: the pool has 1",
        "preset 1 'instrument' (bank 0, program 1): silent: it lacks samples",
      ].filter { $0.hasPrefix("wave") } + findings(file).filter { !$0.hasPrefix("wave") })
    #expect(try findings(file).count == 2)
  }

  @Test(arguments: [1, 4, 500, 0x7FFF_FFFF, 0xFFFF_FFF0])
  func `a position outside the pool is silent and reported`(place: Int) throws {
    var file = TinyDLS()
    file.cues = [place]
    let found = try findings(file)
    #expect(found[0].hasPrefix("wave 1: is "), "\(found)")
    #expect(found.count == 2)
  }

  @Test(arguments: [
    (0, 44_100, 1, 16, "is empty"), (4, 0, 1, 16, "its sample rate is 0 Hz"),
    (4, 0xFFFF_FFFF, 1, 16, "its sample rate is 4294967295 Hz"),
    (4, 399, 1, 16, "its sample rate is 399 Hz"), (4, 44_100, 0, 16, "it has 0 channels"),
    (4, 44_100, 3, 16, "it has 3 channels"), (4, 44_100, 1, 12, "it has 12 bits"),
    (1, 44_100, 1, 16, "is empty"),
  ])
  func `a wave that cannot be played is silent and reported`(
    count: Int, rate: Int, channels: Int, bits: Int, reason: String
  ) throws {
    var file = TinyDLS()
    file.waves[0].sample = nil
    file.waves[0].data = [UInt8](repeating: 1, count: count)
    file.waves[0].rate = rate
    file.waves[0].channels = channels
    file.waves[0].bits = bits
    let found = try findings(file)
    #expect(found[0].hasPrefix("wave 1 'wave': ") && found[0].contains(reason), "\(found)")
  }

  @Test func `a compressed wave is silent and reported with its format`() throws {
    var file = TinyDLS()
    file.waves[0].format = 2
    #expect(
      try findings(file)[0]
        == "wave 1 'wave': is silent: its format is 2 (supported: 1, 6 and 7; PCM, A-law, µ-law)")
  }

  @Test(arguments: [70..<200, 200..<300, 80..<81, 0x7FFF_FFFF..<0xFFFF_FFFF])
  func `a loop outside its wave is cut and reported`(loop: Range<Int>) throws {
    var file = TinyDLS()
    file.waves[0].sample = TinyDLS.sample(loop: loop)
    let found = try findings(file)
    #expect(
      found[0]
        == "wave 1 'wave': its loop \(loop.lowerBound)–\(loop.upperBound) is outside its 80 frames")
  }

  @Test func `a region without keys is silent and reported`() throws {
    let bytes = try changed("rgnh", at: 8, to: 60 | 50 << 16)
    let (tables, virtual) = try SoundFontTables.open(FontBytes(bytes))
    #expect(
      try tables.findings(in: virtual)[0].description
        == "instrument 'instrument', region 1: is silent: its keys are 60–50, its velocities 0–127")
  }

  @Test(arguments: [2, 0x1555_5555, 0xFFFF_FFFF])
  func `if a chunk states too many connections, the existing ones are used`(count: Int) throws {
    var file = TinyDLS()
    file.instruments[0].articulation = TinyDLS.articulation([(0, 0, 0x206, 0, -1200)])
    let bytes = try changed("art2", at: 12, to: count, file)
    let (tables, font) = try SoundFontTables.open(FontBytes(bytes))
    let found = try tables.findings(in: font).map(\.description)
    #expect(found.count == 1)
    #expect(found[0].hasSuffix("claims \(count) connections, but has 1"), "\(found)")
    let zones = try SoundFontDocument(font).instruments[0].zones
    #expect(zones[0].generators.first { $0.kind == 34 }?.value == -1200)
  }

  @Test func `chunks 'crs1' have 28 bytes for any stated size`() throws {
    let chunk = Array("crs1".utf8) + TinyDLS.number(0x7F00_0001) + [UInt8](repeating: 9, count: 28)
    var file = TinyDLS()
    file.instruments[0].regions[0].extra = chunk
    file.instruments[0].articulation = chunk + TinyDLS.articulation([(0, 0, 0x206, 0, -1200)])
    #expect(try findings(file) == [])
  }

  @Test func `a size that includes missing padding is accepted`() throws {
    var bytes = TinyDLS().bytes
    bytes += TinyDLS.chunk("DLID", [1])
    bytes.replaceSubrange(4..<8, with: TinyDLS.number(bytes.count - 8))
    #expect(try SoundFontTables.open(FontBytes(bytes.dropLast())).tables.presets.count == 1)
    #expect(throws: SoundFontError.self) {
      try SoundFontTables.open(FontBytes(bytes.dropLast(2)))
    }
  }

  /// A wave whose frames are the headers of other waves, each of which extends to its end.
  @Test func `overlapping waves are played up to a limit`() throws {
    var file = TinyDLS()
    let (count, head, length) = (1500, 44, 200_000)
    let format = TinyDLS.chunk(
      "fmt ",
      TinyDLS.number(1, 2) + TinyDLS.number(1, 2) + TinyDLS.number(44_100)
        + TinyDLS.number(88_200) + TinyDLS.number(2, 2) + TinyDLS.number(16, 2))
    var data: [UInt8] = []
    for index in 0..<count {
      let rest = length - index * head
      data += Array("LIST".utf8) + TinyDLS.number(rest - 8) + Array("wave".utf8) + format
      data += Array("data".utf8) + TinyDLS.number(rest - head)
    }
    file.waves[0].sample = nil
    file.waves[0].data = data + [UInt8](repeating: 0, count: length - data.count)
    file.cues = (0..<count).map { head + $0 * head }
    file.instruments[0].regions = (0..<count).map { index in
      var region = TinyDLS.Region()
      region.wave = index
      return region
    }
    let (tables, bytes) = try SoundFontTables.open(FontBytes(file.bytes))
    #expect(tables.samples.count > 300)
    #expect(bytes.count < 80 << 20)
    #expect(try findings(file).contains { $0.hasSuffix("is silent: it overlaps too many waves") })
  }

  @Test func `sound is not read when a file is opened, but when it is needed`() throws {
    var file = TinyDLS()
    file.waves[0].data = [UInt8](repeating: 3, count: 8 << 20)
    file.waves[0].bits = 8
    let whole = file.bytes
    let count = Mutex(0)
    let counted = unsafe FontBytes(count: whole.count) { target, offset in
      count.withLock { $0 += target.count }
      unsafe target.copyBytes(from: whole[offset..<offset + target.count])
      return target.count
    }
    let (tables, bytes) = try SoundFontTables.open(counted)
    #expect(count.withLock { $0 } < 65_536)
    let before = count.withLock { $0 }
    let start = tables.sampleData.lowerBound + 2_000_000
    #expect(try bytes.bytes(start..<start + 4) == [0, 0x83, 0, 0x83])
    #expect(count.withLock { $0 } - before <= 4)
  }
}
