// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioTestSupport
import Foundation
import MusicalTime
import TestSupport
import Testing

/// Speech and film codecs: a file has as many frames as it states.
@Suite(.enabled(if: FFmpegWitness.isInstalled, "no ffmpeg (make setup-test)"))
struct SpeechCodecTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func has(_ decoder: String) -> Bool {
    CodecCatalog.decoders.contains { $0.name == decoder && $0.isAvailable }
  }

  /// Arguments, and the codec.
  private static let films: [(suffix: String, arguments: [String], codec: SoundCodec)] = [
    ("ac3", ["-c:a", "ac3"], .ac3), ("eac3", ["-c:a", "eac3"], .enhancedAC3),
    ("ac3", ["-c:a", "ac3", "-ar", "44100", "-b:a", "192k"], .ac3),
    ("ac3", ["-c:a", "ac3", "-ar", "32000", "-ac", "6"], .ac3),
    ("eac3", ["-c:a", "eac3", "-b:a", "96k", "-ac", "1"], .enhancedAC3),
  ]

  @Test(arguments: films)
  func `AC-3 and E-AC-3 have as many frames as FFmpeg decodes`(
    kind: (suffix: String, arguments: [String], codec: SoundCodec)
  ) throws {
    let path = folder.path("a.\(kind.suffix)")
    try FFmpegWitness.run(
      ["-f", "lavfi", "-i", "sine=sample_rate=48000:duration=18.4", "-ac", "2"] + kind.arguments
        + [path])
    let reader = try SoundFileReader(path: path)
    #expect(reader.formats.first?.codec == kind.codec && !reader.isFrameCountEstimated)
    let theirs = try FFmpegWitness.samples(path).count / reader.channelCount
    #expect(reader.frameCount == theirs && theirs % 1536 == 0)
    #expect(reader.read(frameCount: 1 << 20).count == theirs * reader.channelCount)
    let packets = try PacketReader(path: path)
    #expect(packets.table.frameCount == Int64(theirs))
    #expect(try packets.table.packets.count == FFmpegWitness.packets(path).count)
    // A truncated file has a shortfall.
    let bytes = try folder.bytes("a.\(kind.suffix)")
    try folder.write(Array(bytes.dropLast(10)), to: "cut.\(kind.suffix)")
    let cut = try SoundFileReader(path: folder.path("cut.\(kind.suffix)"))
    #expect(cut.frameCount == theirs - 1536 && cut.shortfall != nil)
  }

  @Test func `the finding of 883,200 frames`() throws {
    for suffix in ["ac3", "eac3"] {
      let path = folder.path("a.\(suffix)")
      try FFmpegWitness.run([
        "-f", "lavfi", "-i", "sine=sample_rate=44100:duration=20", "-ac", "2", "-c:a", suffix, path,
      ])
      #expect(try SoundFileReader(path: path).frameCount == 883_200)
    }
  }

  @Test func `GSM is read from WAV and without a container, under one name`() throws {
    let tone = ["-f", "lavfi", "-i", "sine=sample_rate=8000:duration=3", "-ac", "1"]
    try FFmpegWitness.run(tone + ["-c:a", "libgsm_ms", folder.path("a.wav")])
    try FFmpegWitness.run(tone + ["-c:a", "libgsm", folder.path("a.gsm")])
    for name in ["a.wav", "a.gsm"] {
      let reader = try SoundFileReader(path: folder.path(name))
      #expect(reader.formats.map(\.codec) == [.gsm])
      #expect(reader.formatName.hasSuffix("GSM 6.10"))
      let count = reader.read(frameCount: 100_000).count
      #expect(reader.frameCount == count && (24_000...24_320).contains(count), "\(name)")
      #expect(try abs(FFmpegWitness.samples(folder.path(name)).count - count) <= 320)
    }
  }

  @Test func `IMA ADPCM has one name in every container`() throws {
    let tone = ["-f", "lavfi", "-i", "sine=sample_rate=44100:duration=1", "-ac", "2"]
    for (name, codec) in [
      ("a.caf", "adpcm_ima_qt"), ("a.mov", "adpcm_ima_qt"), ("a.aiff", "adpcm_ima_qt"),
      ("a.wav", "adpcm_ima_wav"),
    ] {
      try FFmpegWitness.run(tone + ["-c:a", codec, folder.path(name)])
      let reader = try SoundFileReader(path: folder.path(name))
      #expect(reader.formats.map(\.codec) == [.imaADPCM], "\(name)")
      #expect(reader.formats.first.map { "\($0.codec)" } == "IMA ADPCM")
      #expect(reader.formatName.hasSuffix("IMA ADPCM"), "\(reader.formatName)")
    }
  }

  /// Packets of noise.
  ///
  /// The first byte of each is its type.
  @Test(arguments: [
    ("a.amr", "#!AMR\n", 0x3C, 32, 160), ("a.awb", "#!AMR-WB\n", 0x44, 61, 320),
  ])
  func `AMR has the frames of its packets`(
    name: String, mark: String, head: UInt8, size: Int, frames: Int
  ) throws {
    guard has(name == "a.amr" ? "AMR-NB" : "AMR-WB") else {
      try Test.cancel("FFmpeg does not decode \(name)")
    }
    let packet = [head] + (1..<size).map { UInt8(truncatingIfNeeded: 37 &* $0) }
    let packets = (0..<50).flatMap { _ in packet }
    try folder.write(Array(mark.utf8) + packets, to: name)
    let reader = try SoundFileReader(path: folder.path(name))
    #expect(reader.frameCount == 50 * frames && !reader.isFrameCountEstimated)
    #expect(reader.read(frameCount: 1 << 20).count == 50 * frames)
    #expect(reader.formats.map(\.codec) == [name == "a.amr" ? .amrNarrow : .amrWide])
  }

  @Test(arguments: [(20, 38, 160), (30, 50, 240)])
  func `iLBC has the frames of its packets, with and without CAF`(
    length: Int, size: Int, frames: Int
  ) throws {
    guard has("iLBC") else { try Test.cancel("FFmpeg does not decode iLBC") }
    let packets = (0..<40).flatMap { number in
      // The last bit marks an empty packet.
      (0..<size).map {
        UInt8(truncatingIfNeeded: 37 &* $0 &+ number) & ($0 == size - 1 ? 0xFE : 0xFF)
      }
    }
    try folder.write(Array("#!iLBC\(length)\n".utf8) + packets, to: "a.lbc")
    var file = CAFBytes()
    (file.codec, file.hertz, file.channelCount) = ("ilbc", 8000, 1)
    (file.bytesPerPacket, file.framesPerPacket) = (UInt32(size), UInt32(frames))
    (file.bitsPerChannel, file.sound) = (0, packets)
    try folder.write(file.bytes, to: "a.caf")
    var samples: [[Float]] = []
    for name in ["a.lbc", "a.caf"] {
      let reader = try SoundFileReader(path: folder.path(name))
      #expect(reader.frameCount == 40 * frames && !reader.isFrameCountEstimated)
      #expect(reader.formats.map(\.codec) == [.ilbc])
      samples.append(reader.read(frameCount: 1 << 20))
      #expect(samples.last?.count == 40 * frames)
    }
    #expect(samples[0] == samples[1])
  }
}
