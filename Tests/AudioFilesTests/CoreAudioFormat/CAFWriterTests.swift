// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Glibc
import MusicalTime
import TestSupport
import Testing

@testable import AudioFiles

/// Core Audio Format files, read back by this module, by FFmpeg and by libsndfile.
@Suite(.enabled(if: FFmpegWitness.isInstalled, "no ffmpeg (make setup-test)"))
struct CAFWriterTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func tone(frameCount: Int, _ channelCount: Int) -> [Float] {
    (0..<frameCount * channelCount).map { index in
      let (frame, channel) = (index / channelCount, index % channelCount)
      return Float(0.3 * sin(2 * .pi * Double(200 + 120 * channel) * Double(frame) / 48_000))
    }
  }

  private func write(
    _ samples: [Float], _ encoding: SoundFileFormat.Encoding, _ channelCount: Int,
    _ options: SoundFileWriter.Options = SoundFileWriter.Options()
  ) throws -> String {
    let path = folder.path("a.caf")
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(.caf, encoding), channelCount: channelCount,
      rate: .hertz48000, options: options)
    try writer.write(samples.span)
    try writer.finish()
    return path
  }

  private func difference(_ first: [Float], _ second: [Float]) -> Float {
    zip(first, second).map { abs($0 - $1) }.max() ?? .infinity
  }

  /// Encodings, and the allowed difference of a sample.
  private static let plain: [(SoundFileFormat.Encoding, Float)] = [
    (.integer8, 1 / 127), (.integer16, 1 / 32_000), (.integer24, 1e-6), (.integer32, 1e-6),
    (.float32, 0), (.float64, 0), (.muLaw, 0.02), (.aLaw, 0.02),
  ]

  @Test(arguments: plain, [nil, .little, .big] as [SoundFileWriter.ByteOrder?])
  func `samples of every width and order are the same for FFmpeg and libsndfile`(
    kind: (encoding: SoundFileFormat.Encoding, error: Float), order: SoundFileWriter.ByteOrder?
  ) throws {
    let samples = tone(frameCount: 5001, 2)
    var options = SoundFileWriter.Options()
    options.byteOrder = order
    options.metadata.tags[.title] = "x"
    options.metadata.markers = [.init(position: SampleTime(frames: 3), name: "m")]
    guard order == nil || kind.encoding.bytes ?? 0 > 1 else {
      #expect(throws: SoundFileError.impossibleByteOrder(path: folder.path("a.caf"))) {
        try write(samples, kind.encoding, 2, options)
      }
      return
    }
    let path = try write(samples, kind.encoding, 2, options)
    // The flag of the description: bit 1 is the order; floating point is bit 0.
    let flags = try folder.bytes("a.caf")[32..<36].reduce(0) { $0 << 8 | Int($1) }
    #expect(flags & 2 == (order == .little ? 2 : 0))
    let reader = try SoundFileReader(path: path)
    #expect(reader.frameCount == 5001 && reader.format?.encoding == kind.encoding)
    let back = reader.read(frameCount: 6000)
    #expect(difference(back, samples) <= kind.error)
    #expect(difference(back, try FFmpegWitness.samples(path)) <= 1e-6)
    #expect(difference(back, try libsndfile(path, 2)) <= 1e-6)
    #expect(reader.metadata.markers.map(\.name) == ["m"])
  }

  /// The samples that libsndfile reads.
  private func libsndfile(_ path: String, _ channelCount: Int) throws -> [Float] {
    let frames = try SndFileFrames(FileStream.reading(path, limit: 1 << 30), path: path)
    let count = 100_000
    return unsafe [Float](unsafeUninitializedCapacity: count * channelCount) { buffer, done in
      guard let base = buffer.baseAddress else { return }
      done = unsafe frames.read(base, as: .float32, frameCount: count) * channelCount
    }
  }

  @Test(arguments: [(1, 16), (2, 16), (2, 24), (6, 16)])
  func `ALAC is lossless for this module, FFmpeg and libsndfile`(
    channelCount: Int, bits: Int
  ) throws {
    let scale = Float(1 << (bits - 1))
    let samples = tone(frameCount: 10_001, channelCount).map { ($0 * scale).rounded() / scale }
    let path = try write(samples, bits == 16 ? .alac16 : .alac24, channelCount)
    let reader = try SoundFileReader(path: path)
    #expect(reader.frameCount == 10_001)
    #expect(reader.layout == .usual(channelCount: channelCount))
    #expect(reader.format?.encoding == (bits == 16 ? .alac16 : .alac24))
    #expect(reader.read(frameCount: 20_000) == samples)
    #expect(reader.read(frameCount: 1).isEmpty)
    #expect(reader.locate(to: SampleTime(frames: 9000)))
    #expect(reader.read(frameCount: 1) == Array(samples[9000 * channelCount..<9001 * channelCount]))
    let table = try PacketReader(path: path).table
    #expect(table.frameCount == 10_001 && table.packets.count == 3)
    // FFmpeg 5.1 also reads the frames after the sound.
    let theirs = try FFmpegWitness.samples(path)
    #expect(Array(theirs.prefix(samples.count)) == samples)
    // libsndfile has the channels of ALAC in MPEG's order.
    guard channelCount < 3 else { return }
    #expect(Array(try libsndfile(path, channelCount).prefix(samples.count)) == samples)
  }

  @Test(arguments: [1, 2, 6])
  func `AAC has its exact length, its cookie and FFmpeg's samples`(channelCount: Int) throws {
    let samples = tone(frameCount: 50_001, channelCount)
    let path = try write(samples, .aac, channelCount)
    let reader = try SoundFileReader(path: path)
    #expect(reader.frameCount == 50_001 && reader.format?.encoding == .aac)
    #expect(reader.layout == .usual(channelCount: channelCount))
    let back = reader.read(frameCount: 60_000)
    #expect(back.count == samples.count)
    if channelCount < 6 { #expect(difference(back, samples) < 0.35) }
    let sure = 8192 * channelCount..<40_000 * channelCount
    if channelCount < 6 {
      #expect(difference(Array(back[sure]), Array(samples[sure])) < 0.05)
    }
    let packets = try PacketReader(path: path)
    #expect(packets.table.primingFrameCount == 1024 && packets.isGapless)
    #expect(packets.formats.first?.codec == .aac)
    // FFmpeg can leave the priming in.
    let theirs = try FFmpegWitness.samples(path)
    let extra = theirs.count > back.count + 1023 * channelCount ? 1024 * channelCount : 0
    #expect(difference(back, Array(theirs.dropFirst(extra))) < 1 / 32_768.0)
    #expect(try FFmpegWitness.text("stream=codec_name", of: path) == "aac")
  }

  @Test(arguments: [1, 2])
  func `IMA ADPCM is read back as FFmpeg reads it, with its exact length`(
    channelCount: Int
  ) throws {
    let samples = tone(frameCount: 10_001, channelCount)
    let path = try write(samples, .imaADPCM, channelCount)
    let reader = try SoundFileReader(path: path)
    #expect(reader.frameCount == 10_001 && reader.format?.encoding == .imaADPCM)
    let back = reader.read(frameCount: 20_000)
    #expect(back.count == samples.count && difference(back, samples) < 0.05)
    #expect(difference(back, try FFmpegWitness.samples(path)) == 0)
    // Differences accumulate from the beginning, so a seek must decode from there.
    #expect(reader.locate(to: SampleTime(frames: 7777)))
    let part = reader.read(frameCount: 100)
    #expect(part == Array(back[7777 * channelCount..<7877 * channelCount]))
    #expect(try PacketReader(path: path).table.packets.count == 157)
  }

  @Test func `the same samples give the same bytes, and three channels of IMA ADPCM are refused`()
    throws
  {
    for encoding in [SoundFileFormat.Encoding.aac, .alac16, .alac24, .imaADPCM, .integer16] {
      _ = try write(tone(frameCount: 3000, 2), encoding, 2)
      let first = try folder.bytes("a.caf")
      _ = try write(tone(frameCount: 3000, 2), encoding, 2)
      #expect(try folder.bytes("a.caf") == first)
    }
    #expect(throws: SoundFileError.self) { try write(tone(frameCount: 100, 3), .imaADPCM, 3) }
  }

  /// FFmpeg's arguments, and the frames of the file.
  private static let foreign: [(arguments: [String], frames: Int)] = [
    (["-c:a", "alac"], 882_000), (["-c:a", "adpcm_ima_qt"], 882_048),
    (["-c:a", "pcm_s24le"], 882_000), (["-c:a", "pcm_f32be"], 882_000),
  ]

  @Test(arguments: foreign)
  func `files of FFmpeg have the frames that they decode to`(
    kind: (arguments: [String], frames: Int)
  ) throws {
    let path = folder.path("b.caf")
    try FFmpegWitness.run(
      ["-f", "lavfi", "-i", "sine=sample_rate=44100:duration=20", "-ac", "2"] + kind.arguments
        + [path])
    let reader = try SoundFileReader(path: path)
    #expect(reader.frameCount == kind.frames && !reader.isFrameCountEstimated)
    #expect(reader.read(frameCount: 1 << 20).count == 2 * kind.frames)
    #expect(try FFmpegWitness.samples(path).count == 2 * kind.frames)
  }
}
