// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioTestSupport
import MusicalTime
import TestSupport
import Testing

/// HE-AAC and HE-AAC v2, signalled in every way and stored in every container, as FFmpeg decodes
/// it.
@Suite(.enabled(if: FFmpegWitness.isInstalled, "no ffmpeg (make setup-test)"))
struct HEAACTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  struct Signalling: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// The channels of the core, and the bytes of its configuration.
    let channelCount: Int
    let config: [UInt8]
    /// The layers, best first.
    let codecs: [SoundCodec]
    var hertz = 44_100
    var decodedChannelCount = 2
  }

  private static let allOfV2: [SoundCodec] = [.aacHEv2, .aacHE, .aac]

  static let signallings = [
    Signalling(
      testDescription: "v1, not signalled", channelCount: 2, config: [0x13, 0x90],
      codecs: [.aacHE, .aac]),
    Signalling(
      testDescription: "v1, signalled by the type", channelCount: 2,
      config: [0x2B, 0x92, 0x08, 0x00], codecs: [.aacHE, .aac]),
    Signalling(
      testDescription: "v1, signalled after the core", channelCount: 2,
      config: [0x13, 0x90, 0x56, 0xE5, 0xA0], codecs: [.aacHE, .aac]),
    Signalling(
      testDescription: "v2, with the type of v1", channelCount: 1,
      config: [0x2B, 0x8A, 0x08, 0x00], codecs: allOfV2),
    Signalling(
      testDescription: "v2, not signalled", channelCount: 1, config: [0x13, 0x88], codecs: allOfV2),
    Signalling(
      testDescription: "v2, signalled by the type", channelCount: 1,
      config: [0xEB, 0x8A, 0x08, 0x00], codecs: allOfV2),
    Signalling(
      testDescription: "v2, signalled after the core", channelCount: 1,
      config: [0x13, 0x88, 0x56, 0xE5, 0xA5, 0x48, 0x80], codecs: allOfV2),
    Signalling(
      testDescription: "PS absent, signalled", channelCount: 1,
      config: [0x13, 0x88, 0x56, 0xE5, 0xA5, 0x48, 0x00], codecs: [.aacHE, .aac],
      decodedChannelCount: 1),
    Signalling(
      testDescription: "SBR absent, signalled", channelCount: 1,
      config: [0x13, 0x88, 0x56, 0xE5, 0x00], codecs: [.aac], hertz: 22_050,
      decodedChannelCount: 1),
  ]

  @Test(arguments: signallings)
  func `in M4A the layers are known, and each is decoded`(one: Signalling) throws {
    let stream = try stream(one.channelCount)
    try FFmpegWitness.run(["-i", stream, "-c", "copy", folder.path("plain.m4a")])
    let plain: [UInt8] = one.channelCount == 1 ? [0x13, 0x88] : [0x13, 0x90]
    let told = HEAACBytes.reconfigured(try folder.bytes("plain.m4a"), from: plain, to: one.config)
    try folder.write(try #require(told), to: "a.m4a")
    let reader = try SoundFileReader(path: folder.path("a.m4a"))
    #expect(reader.formats.map(\.codec) == one.codecs)
    let packets = try PacketReader(path: folder.path("a.m4a"))
    #expect(packets.formats == reader.formats)
    #expect(Int(reader.rate.hertz) == one.hertz)
    #expect(reader.channelCount == one.decodedChannelCount)
    let theirs = try FFmpegWitness.samples(folder.path("a.m4a"))
    let ours = try compared(reader, theirs)
    #expect(reader.frameCount * reader.channelCount == ours.count)
    for layer in reader.formats {
      let part = try SoundFileReader(path: folder.path("a.m4a"), layer: layer.codec)
      #expect(Int(part.rate.hertz) == layer.hertz)
      #expect(part.channelCount == layer.channelCount)
      let seconds = Double(part.frameCount) / Double(part.rate.hertz)
      #expect(abs(seconds - Double(reader.frameCount) / Double(reader.rate.hertz)) < 0.001)
      #expect(part.read(frameCount: 1 << 20).count == part.frameCount * part.channelCount)
    }
  }

  @Test(arguments: ["aac", "latm", "ts", "mka", "mp4"], [1, 2])
  func `in other containers the packets show the layers`(suffix: String, channelCount: Int) throws {
    let path = folder.path("b.\(suffix)")
    let form = suffix == "latm" ? ["-f", "latm"] : []
    try FFmpegWitness.run(["-i", stream(channelCount), "-c", "copy"] + form + [path])
    let reader = try SoundFileReader(path: path)
    #expect(reader.rate.hertz == 44_100)
    #expect(reader.channelCount == 2)
    if suffix == "aac" || suffix == "mp4" {
      let codecs: [SoundCodec] = channelCount == 1 ? Self.allOfV2 : [.aacHE, .aac]
      #expect(reader.formats.map(\.codec) == codecs)
    }
    _ = try compared(reader, FFmpegWitness.samples(path))
  }

  @Test(arguments: [1, 2])
  func `a stream has its layers with its first packet, and each is decoded`(
    channelCount: Int
  ) throws {
    let path = try stream(channelCount)
    var stream = SoundStream()
    stream.append(try folder.bytes("he.aac"))
    stream.finish()
    let properties = try #require(stream.properties)
    let packets = stream.takePackets()
    #expect(properties.layers == (try SoundFileReader(path: path).formats))
    #expect(properties.layers == (try PacketReader(path: path).formats))
    // Frames are those of the core.
    #expect(properties.hertz == 22_050 && properties.framesPerPacket == 1024)
    #expect(stream.frameCount?.value == Int64(packets.count * 1024))
    for layer in properties.layers {
      let decoder = try PacketDecoder(layer, magicCookie: properties.magicCookie)
      let samples = packets.flatMap { decoder.decode($0.bytes, as: Float.self) }
      #expect(decoder.rate.map { Int($0.hertz) } == layer.hertz)
      #expect(decoder.channelCount == layer.channelCount)
      #expect(samples.count == packets.count * layer.framesPerPacket * layer.channelCount)
      let streamed = try StreamDecoder(properties, layer: layer.codec)
      let sounds = try packets.flatMap { try streamed.decode($0) } + streamed.finish()
      #expect(sounds.allSatisfy { Int($0.rate.hertz) == layer.hertz })
      #expect(streamed.layer == layer)
    }
  }

  @Test func `without SBR the configuration states all layers`() throws {
    _ = try stream(2)
    var stream = SoundStream()
    stream.append(try folder.bytes("core.aac"))
    let properties = try #require(stream.properties)
    #expect(properties.layers.map(\.codec) == [.aac])
    #expect(properties.layers.map(\.hertz) == [22_050])
    let packets = try PacketReader(path: folder.path("core.aac"))
    #expect(packets.formats == properties.layers)
  }

  /// Compares a file's samples with FFmpeg's, and those after a seek with them.
  private func compared(_ reader: SoundFileReader, _ theirs: [Float]) throws -> [Float] {
    let ours = reader.read(frameCount: 1 << 20)
    #expect(ours.count > 40_000 && theirs.count >= ours.count)
    let difference = zip(ours, theirs).map { abs($0 - $1) }.max() ?? 1
    #expect(difference <= 1 / 32_768.0)
    let (frame, channels) = (12_345, reader.channelCount)
    #expect(reader.locate(to: SampleTime(frames: Int64(frame))))
    let part = reader.read(frameCount: 2000)
    let expected = ours[frame * channels..<(frame + 2000) * channels]
    let leap = zip(part, expected).map { abs($0 - $1) }.max() ?? 1
    #expect(part.count == expected.count && leap < 1e-3)
    return ours
  }

  /// A second and a half of HE-AAC in ADTS; returns the file's name.
  func stream(_ channelCount: Int) throws -> String {
    let sound = ["0.3*sin(2*PI*440*t)", "0.3*sin(2*PI*660*t)"].prefix(channelCount)
    try FFmpegWitness.run([
      "-f", "lavfi", "-i", "aevalsrc='\(sound.joined(separator: "|"))':s=22050:d=2", "-c:a", "aac",
      "-aac_pns", "0", folder.path("core.aac"),
    ])
    try folder.write(HEAACBytes.extended(try folder.bytes("core.aac")), to: "he.aac")
    return folder.path("he.aac")
  }
}
