// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import Foundation
import MusicalTime
import TestSupport
import Testing

/// The parts of conversion beneath Core Audio's names.
@Suite struct ConversionPartTests {
  private let scratch: ScratchFolder
  private let samples = (0..<20_002).map { Int16(9000 * sin(Double($0) / 17)) }

  init() throws { scratch = try ScratchFolder() }

  private func write(_ name: String) throws -> String {
    let path = scratch.path(name)
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(path: path), channelCount: 2, rate: .hertz44100)
    try writer.write(samples.span)
    try writer.finish()
    return path
  }

  @Test(arguments: [false, true])
  func `Reading into memory gives the same frames`(mixes: Bool) throws {
    let path = try write("a.wav")
    let client = ClientFormat(channelCount: mixes ? 1 : nil)
    let (reader, other) = (
      try SoundFileReader(path: path, client: client),
      try SoundFileReader(path: path, client: client)
    )
    var (found, piece) = ([Float](), [Float](repeating: 0, count: 1000))
    func next() -> Int {
      var span = piece.mutableSpan
      return reader.read(into: &span)
    }
    while case let count = next(), count > 0 {
      found += piece.prefix(count * reader.clientChannelCount)
    }
    #expect(found.elementsEqual(other.read(frameCount: 1 << 16)))
  }

  @Test func `Magic cookies of Core Audio and of decoders`() {
    let layer = SoundLayer(codec: .aac, hertz: 44_100, channelCount: 2, framesPerPacket: 1024)
    let config: [UInt8] = [0x12, 0x10]
    let descriptor = MagicCookie.coreAudioCookie(config, for: .aac)
    #expect(descriptor.first == 3 && descriptor.count > config.count)
    #expect(MagicCookie.decoderCookie(descriptor, for: layer) == config)
    #expect(MagicCookie.decoderCookie(config, for: layer) == config)
    #expect(MagicCookie.audioSpecificConfig([0, 0, 0, 0] + descriptor)?.channelCount == 2)
    #expect(MagicCookie.audioSpecificConfig([1]) == nil)
  }

  @Test(arguments: [SoundFileFormat.Encoding.muLaw, .aLaw])
  func `Samples far above full scale become full scale in G.711`(
    encoding: SoundFileFormat.Encoding
  ) throws {
    let path = scratch.path("loud.au")
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(.au, encoding), channelCount: 1, rate: .hertz44100)
    let loud: [Double] = [.greatestFiniteMagnitude, -1e30, 1e9, .nan, .infinity, 1, -1]
    try writer.write(loud.span)
    try writer.finish()
    #expect(writer.clampedSampleCount == 5)
    let found = try SoundFileReader(path: path).read(frameCount: 100)
    #expect(found[0] == found[5] && found[1] == found[6] && abs(found[3]) < 0.001)
  }

  /// True if the codecs of FFmpeg are there.
  private static let hasCodecs: Bool = {
    do {
      return try [SoundFileFormat(.caf, .imaADPCM), SoundFileFormat(.m4a), SoundFileFormat(.mp3)]
        .allSatisfy { CodecCatalog.canWrite($0) }
    } catch {
      return false
    }
  }()

  @Test(.enabled(if: hasCodecs, "no encoders of FFmpeg (make setup-test)"))
  func `IMA ADPCM has packets of 34 bytes a channel`() throws {
    let format = try SoundFileFormat(.caf, .imaADPCM)
    let encoder = try PacketEncoder(
      format, rate: .hertz44100, layout: .usual(channelCount: 2))
    let packets = try encoder.encode(samples.span) + encoder.finish()
    #expect(packets.allSatisfy { $0.bytes.count == 68 })
    #expect(packets.count == (samples.count / 2 + 63) / 64)
  }

  @Test(.enabled(if: hasCodecs, "no encoders of FFmpeg (make setup-test)"))
  func `An MP3 encoder survives samples far above full scale`() throws {
    let format = try SoundFileFormat(.mp3)
    let encoder = try PacketEncoder(
      format, rate: .hertz44100, layout: .usual(channelCount: 1))
    let loud = (0..<8000).map { $0 % 3 == 0 ? Float.greatestFiniteMagnitude : -3e30 }
    let packets = try encoder.encode(loud.span)
    let rest = try encoder.finish()
    #expect(packets.count + rest.count >= 6)
  }
}
