// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Glibc
import MusicalTime
import TestSupport
import Testing

@testable import AudioFiles

/// Files that FFmpeg encodes.
@Suite(.enabled(if: FFmpegWitness.isInstalled, "no ffmpeg (make setup-test)"))
struct EncodedFileTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test(arguments: [(1, 8000), (2, 44_100), (2, 48_000), (6, 48_000), (2, 96_000)])
  func `AAC in M4A has its exact length here and in FFmpeg`(
    channelCount: Int, hertz: Int
  ) throws {
    let samples = tone(frameCount: 50_001, channelCount, hertz)
    let path = try write(samples, "a.m4a", channelCount, hertz)
    let reader = try SoundFileReader(path: path)
    #expect(reader.frameCount == 50_001)
    #expect(reader.layout == .usual(channelCount: channelCount))
    let back = reader.read(frameCount: 60_000)
    #expect(back.count == samples.count)
    // The tone ends abruptly, which a lossy codec smears, and the low-frequency channel of 5.1 does
    // not contain high tones.
    let sure = (4096 * channelCount..<40_000 * channelCount).filter { index in
      channelCount < 6 || index % channelCount != 3
    }
    #expect(difference(sure.map { back[$0] }, sure.map { samples[$0] }) < 0.05)
    // The edit list is exact to the frame, so FFmpeg has the same length.
    let theirs = try FFmpegWitness.samples(path)
    #expect(difference(back, theirs) < 1 / 32_768.0)
    #expect(try FFmpegWitness.durationInFrames(path) == 50_001)
  }

  /// FFmpeg 4.4 counts movies in milliseconds; its files are corrected by this.
  @Test func `the length of an M4A file is set to the frame`() throws {
    let path = try write(tone(frameCount: 10_007, 1, 44_100), "a.m4a", 1, 44_100)
    func setLength(_ frameCount: Int64, in path: String) -> Bool {
      let descriptor = unsafe open(path, O_RDWR | O_CLOEXEC)
      return MP4MovieUnits.set(
        in: FileStream(descriptor: descriptor), hertz: 44_100, frameCount: frameCount)
    }
    #expect(setLength(9_998, in: path))
    let reader = try SoundFileReader(path: path)
    #expect(reader.frameCount == 9_998)
    #expect(reader.read(frameCount: 20_000).count == 9_998)
    #expect(try FFmpegWitness.durationInFrames(path) == 9_998)
    try folder.write(Array("no boxes, but bytes".utf8), to: "b.m4a")
    #expect(!setLength(1, in: folder.path("b.m4a")))
  }

  @Test func `AAC without a container has complete packets`() throws {
    let path = try write(tone(frameCount: 50_000, 2, 44_100), "a.aac", 2, 44_100)
    let reader = try SoundFileReader(path: path)
    // 1024 frames before the sound, and a complete last packet.
    #expect(reader.frameCount == 50 * 1024)
    #expect(reader.read(frameCount: 60_000).count == 2 * 50 * 1024)
    #expect(try FFmpegWitness.packets(path).count == 50)
  }

  @Test func `the bitrate is near the requested one`() throws {
    let samples = tone(frameCount: 300_000, 2, 48_000)
    for (name, bitrates) in [
      ("a.m4a", [64_000, 192_000]), ("a.mp3", [96_000, 256_000]), ("a.opus", [48_000, 160_000]),
    ] {
      for bitrate in bitrates {
        var options = SoundFileWriter.Options()
        options.bitrate = bitrate
        let path = try write(samples, name, 2, 48_000, options)
        let bits = Double(try folder.bytes(name).count) * 8 / 6.25
        // Opus uses a higher bitrate for difficult sound: a tone is neither speech nor noise.
        let most = name == "a.opus" ? 2 : 1.15
        #expect(bits > 0.3 * Double(bitrate) && bits < most * Double(bitrate), "\(name) \(bitrate)")
        let back = try SoundFileReader(path: path).read(frameCount: 300_000)
        #expect(difference(back, samples) < 0.2)
      }
    }
  }

  @Test func `a higher quality needs more bytes`() throws {
    let samples = tone(frameCount: 100_000, 2, 48_000)
    for name in ["a.m4a", "a.mp3", "a.opus", "a.ogg"] {
      let sizes = try [0.2, 0.9].map { quality in
        var options = SoundFileWriter.Options()
        options.quality = quality
        _ = try write(samples, name, 2, 48_000, options)
        return try folder.bytes(name).count
      }
      #expect(sizes[0] < sizes[1], "\(name)")
    }
  }

  @Test(arguments: ["a.m4a", "a.aac", "a.wv"])
  func `the same samples give the same bytes, and a released writer leaves no file`(
    name: String
  ) throws {
    let samples = tone(frameCount: 10_000, 2, 48_000)
    _ = try write(samples, name, 2, 48_000)
    let first = try folder.bytes(name)
    _ = try write(samples, name, 2, 48_000)
    #expect(try folder.bytes(name) == first)
    do {
      let writer = try SoundFileWriter(
        path: folder.path("dropped.\(name)"), format: SoundFileFormat(path: name),
        channelCount: 2, rate: .hertz48000)
      try writer.write(samples.span)
    }
    #expect(try folder.names() == [name])
  }

  @Test func `tags are written`() throws {
    var options = SoundFileWriter.Options()
    options.metadata.tags = [.title: "A title", .artist: "A Singer", .album: "All", .date: "2026"]
    let path = try write(tone(frameCount: 5000, 2, 48_000), "a.m4a", 2, 48_000, options)
    let tags = try SoundFileReader(path: path).metadata.tags
    for (tag, text) in options.metadata.tags { #expect(tags[tag] == text) }
  }

  @Test func `unsupported sound is refused, and no file remains`() throws {
    #expect(throws: SoundFileError.self) {
      try write(tone(frameCount: 100, 2, 50_000), "a.m4a", 2, 50_000)
    }
    #expect(try folder.names() == [])
  }

  @Test func `M4A files can be converted to M4A`() throws {
    let samples = tone(frameCount: 40_000, 2, 48_000)
    let source = try write(samples, "a.m4a", 2, 48_000, nil, .integer16)
    let reader = try SoundFileReader(path: source)
    let conversion = SoundFileConversion(to: try SoundFileFormat(.wv))
    let report = try conversion.run(from: reader, to: folder.path("b.wv")) { _ in true }
    #expect(report?.frameCount == 40_000)
    let back = try SoundFileReader(path: folder.path("b.wv")).read(Int16.self, frameCount: 50_000)
    #expect(back == samples.map(Int16.nearest))
  }

  private func write(
    _ samples: [Float], _ name: String, _ channelCount: Int, _ hertz: Int,
    _ options: SoundFileWriter.Options? = nil, _ encoding: SoundFileFormat.Encoding? = nil
  ) throws -> String {
    let writer = try SoundFileWriter(
      path: folder.path(name), format: SoundFileFormat(path: name, encoding: encoding),
      channelCount: channelCount, rate: #require(SampleRate(hertz: hertz)),
      options: options ?? SoundFileWriter.Options())
    try writer.write(samples.span)
    try writer.finish()
    return folder.path(name)
  }

  private func difference(_ first: [Float], _ second: [Float]) -> Float {
    zip(first, second).map { abs($0 - $1) }.max() ?? .infinity
  }

  private func tone(frameCount: Int, _ channelCount: Int, _ hertz: Int) -> [Float] {
    (0..<frameCount * channelCount).map { index in
      let (frame, channel) = (index / channelCount, index % channelCount)
      let time = Double(frame) / Double(hertz)
      return Float(0.3 * sin(2 * .pi * Double(200 + 120 * channel) * time))
    }
  }
}

extension Int16 {
  /// The nearest value of a sample in single precision.
  fileprivate static func nearest(_ sample: Float) -> Int16 { nearest(to: Double(sample)) }
}
