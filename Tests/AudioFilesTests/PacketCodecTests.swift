// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioTestSupport
import CAllocationCounter
import Glibc
import MusicalTime
import TestSupport
import Testing

/// Samples to packets, packets to samples, and packets to packets.
@Suite(.enabled(if: FFmpegWitness.isInstalled, "no ffmpeg (make setup-test)"))
struct PacketCodecTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static let stereo = ChannelLayout.usual(channelCount: 2)

  /// 500 Hz on the left, 1000 Hz on the right.
  private func tone(_ frameCount: Int) -> [Float] {
    (0..<2 * frameCount).map { index in
      let turns = Double(500 * (1 + index % 2)) * Double(index / 2) / 44_100
      return Float(0.3 * sin(2 * .pi * turns))
    }
  }

  private func layer(_ codec: SoundCodec, _ hertz: Int) -> SoundLayer {
    SoundLayer(codec: codec, hertz: hertz, channelCount: 2, framesPerPacket: 0)
  }

  @Test func `lossless packets decode to the same samples, bit for bit`() throws {
    let samples = tone(10_001).map { Int16.nearest(to: Double($0)) }
    let encoder = try PacketEncoder(
      SoundFileFormat(.m4a, .integer16), rate: .hertz44100, layout: Self.stereo)
    var packets = try encoder.encode(samples.span)
    packets += try encoder.finish()
    #expect(packets.count == (10_001 + encoder.framesPerPacket - 1) / encoder.framesPerPacket)
    let decoder = try PacketDecoder(layer(.alac, 44_100), magicCookie: encoder.magicCookie)
    var back = packets.flatMap { decoder.decode($0.bytes, as: Int16.self) }
    back += decoder.finish(as: Int16.self)
    #expect(back == samples)
    #expect(decoder.rate == .hertz44100 && decoder.channelCount == 2)
    #expect(decoder.damagedCount == 0)
  }

  @Test func `lossy packets decode to every frame, after the priming`() throws {
    let samples = tone(30_000)
    for (format, codec) in [
      (try SoundFileFormat(.m4a), SoundCodec.aac), (try SoundFileFormat(.mp3), .mp3),
    ] {
      let encoder = try PacketEncoder(
        format, rate: .hertz44100, layout: Self.stereo, bitrate: 192_000)
      var packets = try encoder.encode(samples.span)
      packets += try encoder.finish()
      let decoder = try PacketDecoder(layer(codec, 44_100), magicCookie: encoder.magicCookie)
      var back = packets.flatMap { decoder.decode($0.bytes, as: Float.self) }
      back += decoder.finish(as: Float.self)
      #expect(back.count >= 2 * (30_000 + encoder.primingFrameCount))
      let heard = back.dropFirst(2 * encoder.primingFrameCount)
      let far = zip(heard, samples).dropFirst(8_000).prefix(40_000).map { abs($0 - $1) }.max() ?? 1
      #expect(far < 0.05, "\(codec) \(far)")
    }
  }

  @Test func `packets are transcoded to another codec and rate`() throws {
    let path = folder.path("a.m4a")
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(.m4a), channelCount: 2, rate: .hertz44100)
    try writer.write(tone(44_100).span)
    try writer.finish()
    let reader = try PacketReader(path: path)
    let decoder = try PacketDecoder(
      try #require(reader.formats.first), magicCookie: reader.magicCookie)
    let converter = try SoundConverter(
      from: SoundConverter.Form(rate: .hertz44100, layout: Self.stereo),
      to: SoundConverter.Form(rate: .hertz48000, layout: Self.stereo))
    let encoder = try PacketEncoder(
      SoundFileFormat(.m4a, .integer16), rate: .hertz48000, layout: Self.stereo)
    var packets: [PacketEncoder.Packet] = []
    for number in reader.table.packets.indices {
      let bytes = try #require(reader.packet(number))
      converter.push(decoder.decode(bytes, as: Float.self).span)
      packets += try encoder.encode(converter.take(Float.self, frameCount: .max).span)
    }
    converter.push(decoder.finish(as: Float.self).span)
    converter.finish()
    packets += try encoder.encode(converter.take(Float.self, frameCount: .max).span)
    packets += try encoder.finish()
    let decoded = reader.table.packets.count * 1024
    #expect(packets.reduce(0) { $0 + $1.frameCount } == converter.frameCount(of: decoded))
  }

  @Test func `damaged packets are counted, and unsupported codecs are refused`() throws {
    let decoder = try PacketDecoder(layer(.mp3, 44_100), magicCookie: [])
    #expect(decoder.decode([1, 2, 3, 4], as: Float.self).isEmpty)
    #expect(decoder.decode([], as: Float.self).isEmpty)
    #expect(decoder.damagedCount == 2)
    #expect(throws: SoundFileError.self) {
      try PacketEncoder(SoundFileFormat(.wav), rate: .hertz44100, layout: Self.stereo)
    }
  }

  /// A cookie of ALAC that claims packets of a number of frames.
  private func cookie(frames: Int) throws -> [UInt8] {
    let encoder = try PacketEncoder(
      SoundFileFormat(.m4a, .integer16), rate: .hertz44100, layout: Self.stereo)
    var cookie = encoder.magicCookie
    for index in 0..<4 {
      cookie[12 + index] = UInt8(truncatingIfNeeded: frames >> (24 - 8 * index))
    }
    return cookie
  }

  @Test(arguments: [(1 << 17) + 1, 1 << 20, 1 << 24, 0x7FFF_FFFF, 0xFFFF_FFFF])
  func `an ALAC cookie with packets above 131,072 frames is refused`(frames: Int) throws {
    let cookie = try cookie(frames: frames)
    callocationcounter_begin()
    let error = #expect(throws: SoundFileError.self) {
      try PacketDecoder(layer(.alac, 44_100), magicCookie: cookie)
    }
    #expect(callocationcounter_end().peak < 64 << 20)
    #expect("\(try #require(error))".contains("too long"))
  }

  @Test(arguments: [4096, 1 << 17])
  func `an ALAC cookie with packets of up to 131,072 frames costs at most 64 MiB`(
    frames: Int
  ) throws {
    let cookie = try cookie(frames: frames)
    callocationcounter_begin()
    let decoder = try PacketDecoder(layer(.alac, 44_100), magicCookie: cookie)
    #expect(decoder.decode([0x20, 0, 0, 0, 0], as: Double.self).isEmpty)
    #expect(callocationcounter_end().peak < 64 << 20)
  }
}
