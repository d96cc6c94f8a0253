// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import Foundation
import MusicalTime
import SoundFontFiles
import TestSupport
import Testing

@testable import SoundFontVoices

@Suite struct FontSampleTests {
  private typealias Zone = FontBuilder.Zone
  private typealias Sample = FontBuilder.Sample
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func bank(_ samples: [Sample]) throws -> PatchBank {
    let font = FontBuilder(
      instrument: samples.indices.map { Zone([(53, $0)]) }, samples: samples)
    return try PatchBank(fontAt: scratch.write("font.sf2", font.bytes))
  }

  @Test func `up to 46 frames after a sample belong to it`() throws {
    let regions = try bank([
      Sample(place: 100..<500, loop: (200, 300)), Sample(place: 0..<1000, loop: (0, 0)),
      Sample(place: 0..<1040, loop: (0, 0)),
    ]).list().reversed()
    // FluidSynth plays one frame after the sample data; here it is silent.
    #expect(regions.map { $0.end - $0.start } == [446, 1046, 1047])
    #expect(regions.map(\.loop) == [100..<200, 0..<0, 0..<0])
  }

  @Test(arguments: [
    (200, 300, 100..<200), (300, 200, 100..<200), (250, 250, 150..<150), (100, 500, 0..<400),
    (100, 501, 0..<400), (200, 546, 100..<400), (99, 300, 200..<400), (700, 800, 0..<400),
    (50, 60, 0..<400), (0, 0, 0..<400),
  ])
  func `a loop is limited to its sample`(
    start: Int, end: Int, expected: Range<Int32>
  ) throws {
    let bank = try bank([Sample(place: 100..<500, loop: (start, end))])
    #expect(bank.list()[0].loop == expected)
  }

  @Test(arguments: [
    Sample(place: 0..<1000, loop: (0, 0), kind: 0x8001),
    Sample(place: 0..<1000, loop: (0, 0), kind: 0x21), Sample(place: 0..<1, loop: (0, 0)),
    Sample(place: 1000..<1048, loop: (0, 0)), Sample(place: 5..<5, loop: (0, 0)),
    Sample(place: 0..<1000, loop: (0, 0), rate: 0),
  ])
  func `an inaudible sample is left out`(sample: FontBuilder.Sample) throws {
    #expect(try bank([Sample(place: 0..<1000, loop: (0, 0)), sample]).list().count == 1)
  }

  @Test func `a sample's rate, key and correction are from the font`() throws {
    let region = try bank([
      Sample(place: 0..<1000, loop: (0, 0), rate: 32_000, key: 255, correction: -7)
    ]).list()[0]
    #expect(region.rate == 32_000)
    #expect(region.key == 60)
    #expect(region.correction == -7)
  }

  @Test(arguments: [0, 127, 128, 200, 255]) func `an invalid root key counts as 60`(
    key: Int
  ) throws {
    let region = try bank([Sample(place: 0..<1000, loop: (0, 0), key: key)]).list()[0]
    #expect(Int(region.key) == (key < 128 ? key : 60))
  }

  @Test func `frames are silent until their patch is loaded, and around them always`() throws {
    let bank = try bank([
      Sample(place: 0..<1000, loop: (200, 800)), Sample(place: 300..<400, loop: (0, 0)),
    ])
    let regions = bank.list()
    let frames = { (region: Region) in
      (region.start - 8..<region.end + 8).map { unsafe Int(bank.samples[Int($0)]) }
    }
    #expect(regions.allSatisfy { frames($0).allSatisfy { $0 == 0 } && $0.noiseFloor == 0 })
    bank.load(0)
    let silence = [Int](repeating: 0, count: 8)
    #expect(frames(regions[0]) == silence + (300..<446).map(FontBuilder.frame) + silence)
    let tail = [Int](repeating: 0, count: 46)
    #expect(frames(regions[1]) == silence + (0..<1000).map(FontBuilder.frame) + tail + silence)
  }

  @Test func `the noise floor follows the loop's peak`() throws {
    let bank = try bank([
      Sample(place: 0..<1000, loop: (200, 800)), Sample(place: 0..<1000, loop: (1000, 1046)),
    ])
    bank.load(0)
    let floors = bank.list().map(\.noiseFloor)
    #expect(abs(floors[0] - 2e-7 * 32_768 * 256) < 1e-4)
    #expect(abs(floors[1] - 2e-7 * 32_768 / 10_000) < 1e-12)
  }

  @Test func `a file that is truncated after its bank was created is silent`() throws {
    let font = FontBuilder()
    let path = try scratch.write("font.sf2", font.bytes)
    let bank = try PatchBank(fontAt: path)
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.truncate(atOffset: 0)
    try file.close()
    bank.load(0)
    let region = bank.list()[0]
    #expect((region.start..<region.end).allSatisfy { unsafe bank.samples[Int($0)] == 0 })
  }

  @Test func `a file whose contents changed after its tables were read is refused`() throws {
    let path = try scratch.write("font.sf2", FontBuilder().bytes)
    let layer = try PatchBank.Layer(path: path)
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.seek(toOffset: 0)
    try file.write(contentsOf: Data(repeating: 0, count: 200))
    try file.close()
    #expect(throws: SoundFontVoicesError.changed(path: path)) {
      try PatchBank([layer], programs: nil)
    }
  }

  @Test func `a file that is removed after its tables were read still plays`() throws {
    let path = try scratch.write("font.sf2", FontBuilder().bytes)
    let layer = try PatchBank.Layer(path: path)
    try FileManager.default.removeItem(atPath: path)
    #expect(try PatchBank([layer], programs: nil).patchCount > 0)
    #expect(throws: SoundFontVoicesError.cannotOpen(path: path, code: ENOENT)) {
      try FontFile.bytes(of: path)
    }
  }

  @Test func `part of a file is read like a file with that part`() throws {
    let font = FontBuilder().bytes
    let path = try scratch.write("font.bin", [1, 2, 3] + font + [4, 5])
    let part = try FontFile.bytes(of: path).part(3..<3 + font.count)
    #expect(part.count == font.count)
    let layer = PatchBank.Layer(path: path, bytes: part, tables: try SoundFontTables(part))
    let bank = try PatchBank([layer], programs: nil)
    let whole = try PatchBank(fontAt: scratch.write("font.sf2", font))
    for bank in [bank, whole] { for patch in 0..<bank.patchCount { bank.load(patch) } }
    let region = whole.list()[0]
    #expect(bank.list()[0].start == region.start && bank.list()[0].end == region.end)
    #expect(
      (region.start..<region.end).allSatisfy {
        unsafe bank.samples[Int($0)] == whole.samples[Int($0)]
      })
  }

  /// An Ogg Vorbis stream of one channel: half a second of a sine of 441 Hz.
  private func stream() throws -> [UInt8] {
    let path = scratch.path("sine.ogg")
    let rate = try #require(SampleRate(hertz: 44_100))
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(path: path), channelCount: 1, rate: rate)
    let samples = (0..<22_050).map { Float(sin(Double($0) * .pi / 50)) / 2 }
    try writer.write(samples.span)
    try writer.finish()
    return [UInt8](try FileContent.data(path))
  }

  /// A font with one compressed sample.
  private func compressed(_ stream: [UInt8]) throws -> PatchBank {
    var font = FontBuilder(samples: [
      Sample(place: 0..<stream.count, loop: (100, 20_100), kind: 0x11)
    ])
    font.data = stream + (stream.count % 2 == 1 ? [0] : [])
    return try PatchBank(fontAt: scratch.write("font.sf3", font.bytes))
  }

  @Test func `a compressed sample is decoded when its patch is loaded`() throws {
    let bank = try compressed(stream())
    bank.load(0)
    let region = bank.list()[0]
    #expect(region.end - region.start == 22_050)
    #expect(region.loop == 100..<20_100)
    let worst = (0..<22_050).map { place in
      let expected = sin(Double(place) * .pi / 50) / 2 * 32_767
      return unsafe abs(Double(bank.samples[Int(region.start) + place]) - expected)
    }.max()
    #expect(try #require(worst) < 700)
    #expect(region.noiseFloor > 3e-7 && region.noiseFloor < 5e-7)
  }

  @Test func `thousands of samples that share the same bytes are refused`() throws {
    var font = FontBuilder(
      instrument: (0..<600).map { Zone([(53, $0)]) },
      samples: Array(repeating: Sample(place: 0..<100_000, loop: (0, 0)), count: 600))
    font.data = [UInt8](repeating: 0, count: 200_000)
    let path = try scratch.write("font.sf2", font.bytes)
    #expect(throws: SoundFontVoicesError.tooManySamples(path: path)) {
      try PatchBank(fontAt: path)
    }
    font.instruments = [Array(font.instruments[0].prefix(100))]
    #expect(try PatchBank(fontAt: scratch.write("few.sf2", font.bytes)).list().count == 100)
  }

  /// A stream whose last page claims a number of frames.
  private func claiming(_ frames: Int) throws -> [UInt8] {
    var bytes = try stream()
    let page = try #require(
      bytes.indices.last { bytes[$0...].starts(with: "OggS".utf8) && $0 + 14 <= bytes.count })
    for place in 0..<8 {
      bytes[page + 6 + place] = UInt8(truncatingIfNeeded: frames >> (8 * place))
    }
    return bytes
  }

  @Test(arguments: [2_147_483_600, 1 << 40, -1])
  func `a stream that claims more frames than its bytes can hold is left out`(
    frames: Int
  ) throws {
    #expect(try compressed(claiming(frames)).list().isEmpty)
  }

  @Test func `a stream that ends before the claimed frames is silent`() throws {
    let bank = try compressed(claiming(4_000_000))
    bank.load(0)
    let region = try #require(bank.list().first)
    #expect(region.end - region.start == 4_000_000)
    #expect((region.start..<region.start + 30_000).allSatisfy { unsafe bank.samples[Int($0)] == 0 })
    #expect(region.noiseFloor == Float(2e-7 * 8_388_608))
  }

  @Test func `a damaged compressed sample is silent or left out`() throws {
    let whole = try stream()
    var random = SplitMix(seed: 33)
    var silent = 0
    for turn in 0..<200 {
      var bytes =
        turn % 2 == 0 ? whole : Array(whole[..<Int.random(in: 2..<whole.count, using: &random)])
      for _ in 0..<8 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      let bank = try compressed(bytes)
      bank.load(0)
      for region in bank.list() {
        #expect(region.end > region.start && region.loopEnd <= region.end)
        let frames = (region.start..<region.end + 8).map { unsafe bank.samples[Int($0)] }
        #expect(frames.suffix(8).allSatisfy { $0 == 0 })
        if frames.allSatisfy({ $0 == 0 }) { silent += 1 }
      }
    }
    #expect(silent > 50)
  }
}
