// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import SoundFontFiles
import TestSupport
import Testing

@testable import SoundFontVoices

/// Fonts whose samples are compressed, then decoded.
@Suite struct VorbisCompressionTests {
  private typealias Sample = FontBuilder.Sample

  private func document(_ font: FontBuilder) throws -> SoundFontDocument {
    try SoundFontDocument(FontBytes(font.bytes))
  }

  private func compressed(_ font: FontBuilder, quality: Double = 0.9) throws -> FontBytes {
    var document = try document(font)
    try document.compressSamples(quality: quality)
    return try SoundFontWriter.bytes(of: document)
  }

  private func bank(_ bytes: FontBytes) throws -> PatchBank {
    let bank = try PatchBank(
      [.init(path: "font.sf3", bytes: bytes, tables: SoundFontTables(bytes))], programs: nil)
    for patch in 0..<bank.patchCount { bank.load(patch) }
    return bank
  }

  private func font(_ samples: [Sample]) -> FontBuilder {
    FontBuilder(
      instrument: samples.indices.map { FontBuilder.Zone([(53, $0)]) }, samples: samples)
  }

  @Test func `samples keep their frames, loops, rates and keys`() throws {
    let font = font([
      Sample(place: 0..<1000, loop: (200, 800), rate: 32_000, key: 61, correction: -3),
      Sample(place: 100..<500, loop: (150, 480), rate: 44_100),
      Sample(place: 0..<1000, loop: (0, 1000), rate: 400),
      Sample(place: 3..<5, loop: (3, 4)),
    ])
    let bytes = try compressed(font)
    let tables = try SoundFontTables(bytes)
    #expect(tables.version == (3, 0))
    #expect(try tables.findings(in: bytes).isEmpty)
    let (old, new) = (try bank(FontBytes(font.bytes)).list(), try bank(bytes).list())
    #expect(new.count == old.count)
    for (old, new) in zip(old, new) {
      #expect(new.end - new.start == old.soundEnd - old.start)
      #expect(new.loop == old.loop)
      #expect((new.rate, new.key, new.correction) == (old.rate, old.key, old.correction))
    }
  }

  @Test func `the sound stays the same within the loss of the codec`() throws {
    let font = font([Sample(place: 0..<1000, loop: (200, 800))])
    let bank = try bank(compressed(font))
    let start = try #require(bank.list().first).start
    let error = (0..<1000).map { place in
      unsafe Double(Int(bank.samples[Int(start) + place]) - FontBuilder.frame(place))
    }
    let power = error.reduce(0) { $0 + $1 * $1 } / 1000
    // The sawtooth has a power of 33 million.
    #expect(power < 1_000_000)
  }

  @Test(arguments: [1, 2, 63, 64, 65, 127, 255, 1000, 1023, 1024, 1025, 4095, 4096, 4097, 70_000])
  func `a stream decodes to the number of encoded frames`(count: Int) throws {
    for hertz in [1, 400, 8000, 44_100, 192_000, 4_000_000] {
      let frames = (0..<count).map { Float($0 % 50) / 50 - 0.5 }
      let bytes = try VorbisEncoder.stream(frames, hertz: hertz, quality: 0.4, name: "Tone")
      let decoded = try #require(MemorySound(bytes))
      #expect(decoded.frameCount == count)
      #expect(
        EncodedStream.frameCount(head: bytes, tail: bytes, byteCount: bytes.count) == count)
      #expect(EncodedStream(bytes).fault(loopEnd: count, codecs: [.vorbis]) == nil)
    }
  }

  @Test func `the same font gives the same bytes, and a lower quality fewer`() throws {
    let font = font([Sample(place: 0..<1000, loop: (200, 800))])
    let bytes = try compressed(font)
    #expect(try bytes.bytes(0..<bytes.count) == compressed(font).bytes(0..<bytes.count))
    #expect(try compressed(font, quality: 0).count < bytes.count)
  }

  @Test func `the order of jobs does not change the font`() throws {
    let font = font((0..<9).map { Sample(place: $0 * 100..<1000, loop: ($0 * 100, 950)) })
    let expected = try compressed(font)
    var document = try document(font)
    try document.compressSamples(quality: 0.9) { count, job in
      #expect(count == 9)
      for index in (0..<count).reversed() { job(index) }
    }
    let bytes = try SoundFontWriter.bytes(of: document)
    #expect(try bytes.bytes(0..<bytes.count) == expected.bytes(0..<expected.count))
  }

  @Test func `samples with the same frames share a stream`() throws {
    let once = try compressed(font([Sample(place: 0..<1000, loop: (200, 800))])).count
    let twice = try compressed(
      font(Array(repeating: Sample(place: 0..<1000, loop: (100, 700)), count: 2)))
    // A second zone and sample header.
    #expect(twice.count - once < 100)
    let tables = try SoundFontTables(twice)
    #expect(tables.samples[0].place == tables.samples[1].place)
  }

  @Test func `24 bits are encoded and left out of the file`() throws {
    var font = font([Sample(place: 0..<1000, loop: (200, 800))])
    font.minorVersion = 4
    font.lowBytes = [UInt8](repeating: 0x80, count: 1046)
    #expect(try SoundFontTables(FontBytes(font.bytes)).sampleLowBytes != nil)
    let bytes = try compressed(font)
    #expect(try SoundFontTables(bytes).sampleLowBytes == nil)
    let bank = try bank(bytes)
    #expect(unsafe bank.lowBytes == nil)
    let document = try document(font)
    #expect(try document.frames(ofSample: 0)[0] == Float(-10_000 * 256 + 128) / 8_388_608)
  }

  @Test func `samples in ROM, empty or outside the font stay unchanged`() throws {
    let font = font([
      Sample(place: 0..<1000, loop: (0, 0)), Sample(place: 0..<1000, loop: (0, 0), kind: 0x8001),
      Sample(place: 5..<5, loop: (0, 0)), Sample(place: 0..<1, loop: (0, 0)),
      Sample(place: 900..<5000, loop: (0, 0)),
    ])
    let old = try document(font)
    var new = old
    try new.compressSamples(quality: 0.4)
    #expect(new.samples.map(\.isCompressed) == [true, false, false, false, false])
    #expect(new.samples.map(\.isInROM) == [false, true, false, false, false])
    var again = new
    try again.compressSamples(quality: 0.4)
    #expect(again.samples.map(\.end) == new.samples.map(\.end))
    #expect(try bank(SoundFontWriter.bytes(of: new)).list().count == 1)
  }

  @Test func `a sample that ends one frame after the font ends with silence`() throws {
    let font = font([Sample(place: 1000..<1047, loop: (0, 0))])
    let document = try document(font)
    let frames = try document.frames(ofSample: 0)
    #expect(frames == [Float](repeating: 0, count: 47))
  }
}
