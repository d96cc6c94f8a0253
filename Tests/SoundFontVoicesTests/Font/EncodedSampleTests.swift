// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import Foundation
import MusicalTime
import SoundFontFiles
import TestSupport
import Testing

@testable import SoundFontVoices

/// Compressed samples of each codec, decoded by libsndfile.
@Suite struct EncodedSampleTests {
  private typealias Sample = FontBuilder.Sample
  private let scratch: ScratchFolder
  private let noise: [Int16]

  init() throws {
    scratch = try ScratchFolder()
    var random = SplitMix(seed: 6)
    noise = (0..<5000).map { _ in Int16.random(in: .min ... .max, using: &random) }
  }

  /// A font with one sample for each stream.
  private func bank(_ streams: [[UInt8]], rate: Int = 44_100) throws -> PatchBank {
    var place = 0
    let samples = streams.map { stream in
      defer { place += stream.count }
      return Sample(
        place: place..<place + stream.count, loop: (100, 900), rate: rate, kind: 0x11)
    }
    var font = FontBuilder(
      instrument: samples.indices.map { FontBuilder.Zone([(53, $0)]) }, samples: samples)
    let data = Array(streams.joined())
    font.data = data + (data.count % 2 == 1 ? [0] : [])
    let bytes = FontBytes(font.bytes)
    return try PatchBank(
      [.init(path: "font.sf3", bytes: bytes, tables: SoundFontTables(bytes))], programs: nil)
  }

  /// The frames of the first sample of a bank.
  private func frames(_ bank: PatchBank) throws -> [Int16] {
    bank.load(0)
    let region = try #require(bank.list().first)
    return (region.start..<region.end).map { unsafe bank.samples[Int($0)] }
  }

  /// A sine at a hundredth of the sample rate, encoded in a container.
  private func sine(_ name: String, hertz: Int, count: Int = 20_000) throws -> [UInt8] {
    let path = scratch.path(name)
    let rate = try #require(SampleRate(hertz: hertz))
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(path: path), channelCount: 1, rate: rate)
    let samples = (0..<count).map { Float(sin(Double($0) * .pi / 50)) / 2 }
    try writer.write(samples.span)
    try writer.finish()
    return [UInt8](try FileContent.data(path))
  }

  /// Compares with the sine; a shift by one frame would differ by 1000.
  private func expectSine(_ frames: ArraySlice<Int16>, from start: Int, within limit: Double) {
    let worst = frames.enumerated().map { place, frame in
      abs(Double(frame) - sin(Double(place + start) * .pi / 50) / 2 * 32_767)
    }.max()
    #expect((worst ?? .infinity) < limit)
  }

  @Test func `FLAC is decoded exactly, native and in Ogg`() throws {
    let blocks: [FLACMaker.Block] = [.verbatim(noise), .equal(-77, count: 2000), .verbatim([5])]
    let expected = noise + [Int16](repeating: -77, count: 2000) + [5]
    for stream in [
      FLACMaker.native(blocks), FLACMaker.ogg(blocks), FLACMaker.ogg(blocks, claim: 0),
    ] {
      #expect(try frames(bank([stream])) == expected)
    }
    #expect(try frames(bank([sine("sine.flac", hertz: 44_100)])).count == 20_000)
  }

  @Test(arguments: [8000, 12_000, 16_000, 24_000, 48_000])
  func `Opus is decoded at its rate, without the frames before its sound`(hertz: Int) throws {
    let frames = try frames(bank([sine("sine.opus", hertz: hertz)], rate: hertz))
    #expect(frames.count == 20_000)
    // At low rates, Opus does not preserve the waveform.
    expectSine(frames[100..<19_900], from: 100, within: 3500)
  }

  @Test func `the rate of the font's header is used, not the rate of the stream`() throws {
    for rate in [22_050, 44_100, 48_000] {
      let bank = try bank([FLACMaker.native([.verbatim(noise)], rate: 96_000)], rate: rate)
      #expect(bank.list()[0].rate == Float(rate))
      #expect(bank.list()[0].loop == 100..<900)
    }
  }

  /// Adds frames to the positions of all pages after the header.
  private func shifted(_ stream: [UInt8], headPages: Int, by count: UInt64) -> [UInt8] {
    var bytes = stream
    var page = 0
    for place in bytes.indices where bytes[place...].starts(with: "OggS".utf8) {
      if page >= headPages {
        let field = place + 6..<place + 14
        let position = field.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64(bytes[$1]) }
        for (index, place) in field.enumerated() {
          bytes[place] = UInt8(truncatingIfNeeded: (position + count) >> UInt64(8 * index))
        }
      }
      page += 1
    }
    OggPages.seal(&bytes)
    return bytes
  }

  @Test func `a stream that was cut from a longer one plays`() throws {
    let stream = try sine("sine.ogg", hertz: 48_000, count: 200_000)
    let frames = try frames(bank([shifted(stream, headPages: 2, by: 5000)]))
    #expect(frames.count == 205_000)
    expectSine(frames[100..<199_900], from: 100, within: 900)
    #expect(frames[200_000...].allSatisfy { $0 == 0 })
  }

  @Test func `streams of two channels, unknown codec or length are not played`() throws {
    let streams = [
      FLACMaker.native([.verbatim(noise)], channels: 2),
      FLACMaker.native([.verbatim(noise)], claim: 0),
      OggPages.stream([Array("Speex   1.2".utf8), [0], [0]], positions: [0, 0, 500]),
    ]
    for stream in streams { #expect(try bank([stream]).list().isEmpty) }
  }

  @Test func `truncated or damaged FLAC is silent`() throws {
    let whole = FLACMaker.native([.verbatim(noise), .verbatim(noise)])
    for stream in [Array(whole.dropLast(2)), Array(whole.prefix(whole.count / 2))] {
      let frames = try frames(bank([stream]))
      #expect(frames.count == 10_000 && frames.allSatisfy { $0 == 0 })
    }
  }

  @Test func `samples with hours of silence are refused`() throws {
    let silence = FLACMaker.native(Array(repeating: .equal(0, count: 65_535), count: 250))
    #expect(silence.count < 4300)
    #expect(try bank([silence, silence]).list().count == 2)
    #expect(throws: SoundFontVoicesError.tooDense(path: "font.sf3")) {
      try bank([silence, silence, silence])
    }
  }

  @Test func `this machine's libsndfile decodes every codec`() {
    #expect(SampleCodec.decodable == Set(SampleCodec.allCases))
  }
}
