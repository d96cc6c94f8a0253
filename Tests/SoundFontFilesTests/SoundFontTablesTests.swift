// SPDX-License-Identifier: Apache-2.0
import SoundFontFiles
import TestSupport
import Testing

@Suite struct SoundFontTablesTests {
  private let whole = TinySoundFont.bytes

  private func tables(_ bytes: [UInt8]) throws(SoundFontError) -> SoundFontTables {
    try SoundFontTables(FontBytes(bytes))
  }

  private func findings(_ bytes: [UInt8]) throws -> [String] {
    try tables(bytes).findings(in: FontBytes(bytes)).map(\.description)
  }

  /// The position of a table's content.
  private func place(of table: String) throws -> Int {
    let name = Array(table.utf8)
    let start = try #require(whole.indices.first { whole[$0...].starts(with: name) })
    return start + 8
  }

  private func changed(_ table: String, at offset: Int, to value: Int, bytes: Int = 2) throws
    -> [UInt8]
  {
    var font = whole
    let place = try place(of: table) + offset
    for index in 0..<bytes { font[place + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
    return font
  }

  @Test func `presets, samples and zones are read`() throws {
    let font = try tables(whole)
    #expect(font.name == "Tiny")
    #expect(font.version == (2, 1))
    #expect(font.presets.map(\.name) == ["Cosine", "Octave", "Kit"])
    #expect(font.presets.map(\.bank) == [0, 0, 128])
    #expect(font.presets.map(\.program) == [0, 1, 0])
    #expect(font.samples.map(\.place) == [0..<1000])
    #expect(font.samples.map(\.loop) == [200..<800])
    #expect(font.samples.map(\.rate) == [44_100])
    let zone = try #require(font.zones(ofInstrument: 1).first)
    #expect(zone.generators == [51: 12, 53: 0, 54: 1])
    #expect(zone.keys == 0...127)
    #expect(try findings(whole).isEmpty)
  }

  @Test func `a file that is truncated anywhere is refused`() {
    for count in 0..<whole.count {
      #expect(throws: SoundFontError.self) { try tables(Array(whole[..<count])) }
    }
  }

  @Test func `indices that point outside their tables are refused`() throws {
    let cases: [(table: String, offset: Int)] = [
      ("phdr", 24), ("pbag", 0), ("pbag", 2), ("pgen", 2), ("inst", 20), ("ibag", 0), ("ibag", 2),
      ("igen", 6),
    ]
    for (table, offset) in cases {
      let font = try changed(table, at: offset, to: 0x7000)
      let error = #expect(throws: SoundFontError.self) { try tables(font) }
      guard case .damaged = error else {
        Issue.record("\(table): \(String(describing: error))")
        continue
      }
    }
  }

  @Test func `a font without presets is refused`() throws {
    // The first preset's record becomes the closing one.
    var font = whole
    let start = try place(of: "phdr")
    font[start - 4] = 38
    font.removeSubrange(start + 38..<start + 4 * 38)
    #expect(throws: SoundFontError.self) { try tables(font) }
  }

  @Test func `samples outside the data and loops outside samples are reported`() throws {
    let far = try findings(changed("shdr", at: 24, to: 5000, bytes: 4))
    #expect(far == ["sample 1 'Cosine': ends at frame 5000, but the sample data ends at 1046"])
    let loop = try findings(changed("shdr", at: 32, to: 1001, bytes: 4))
    #expect(
      loop == ["sample 1 'Cosine': its loop 200..<1001 is outside its frames 0..<1000"])
    let rate = try findings(changed("shdr", at: 36, to: 0, bytes: 4))
    #expect(rate == ["sample 1 'Cosine': its sample rate is 0 Hz (valid: 400…192000 Hz)"])
    let none = try findings(changed("shdr", at: 24, to: 0, bytes: 4))
    #expect(none == ["sample 1 'Cosine': is empty"])
  }

  @Test func `the first of two presets with one number is reported, because the last is used`()
    throws
  {
    let twice = try findings(changed("phdr", at: 38 + 20, to: 0))
    #expect(
      twice == ["preset 0:0 'Cosine': never used: a later preset has the same number"])
  }

  @Test func `compressed samples with an unknown codec are reported`() throws {
    let broken = try findings(changed("shdr", at: 44, to: 0x11))
    #expect(broken == ["sample 1 'Cosine': it is not Ogg Vorbis, Ogg Opus or FLAC"])
  }

  @Test func `mutated bytes are not read out of bounds`() {
    var random = SplitMix(seed: 9)
    for _ in 0..<3000 {
      var font = whole
      for _ in 0...Int.random(in: 0...3, using: &random) {
        font[Int.random(in: 0..<font.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      do {
        _ = try findings(font)
      } catch {
        #expect(error is SoundFontError)
      }
    }
  }
}
