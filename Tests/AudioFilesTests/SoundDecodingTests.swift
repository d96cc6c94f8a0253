// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioTestSupport
import Glibc
import MusicalTime
import TestSupport
import Testing

/// Files that libsndfile does not read, compared with the original sound and with FFmpeg's
/// decoding.
@Suite(.enabled(if: FFmpegWitness.isInstalled, "no ffmpeg (make setup-test)"))
struct SoundDecodingTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// A suffix, an encoder, channels, rate.
  static let lossless: [(String, String, Int, Int)] = [
    ("m4a", "alac", 1, 8000), ("m4a", "alac", 2, 44_100), ("m4a", "alac", 6, 48_000),
    ("wv", "wavpack", 2, 96_000), ("wv", "wavpack", 1, 22_050), ("tta", "tta", 2, 44_100),
    ("mka", "flac", 2, 48_000), ("mov", "alac", 2, 48_000),
  ]

  @Test(arguments: lossless)
  func `lossless files have exactly the original samples`(
    suffix: String, encoder: String, channelCount: Int, hertz: Int
  ) throws {
    let samples = tones(frameCount: 30_001, channelCount, hertz)
    let source = try wave(samples, channelCount, hertz)
    let path = folder.path("a.\(suffix)")
    try FFmpegWitness.make(path, from: source, "-c:a", encoder)
    let reader = try SoundFileReader(path: path)
    #expect(Int(reader.rate.hertz) == hertz)
    #expect(reader.channelCount == channelCount)
    #expect(reader.layout == .usual(channelCount: channelCount))
    if suffix != "mka" { #expect(reader.frameCount == 30_001) }
    #expect(reader.read(Int16.self, frameCount: 40_000) == samples)
    #expect(reader.read(Int16.self, frameCount: 1).isEmpty)
    for place in [0, 1, 4095, 4096, 12_345, 29_999] {
      #expect(reader.locate(to: SampleTime(frames: Int64(place))))
      let range = place * channelCount..<(place + 2) * channelCount
      #expect(reader.read(Int16.self, frameCount: 2) == Array(samples[range]))
    }
    #expect(!reader.locate(to: SampleTime(frames: 30_002)))
  }

  @Test func `24 bits are read without loss`() throws {
    let samples = tones(frameCount: 20_000, 2, 48_000).map { Int32($0) << 16 | 0x5A00 }
    let source = try wave(samples, 2, 48_000, .integer24)
    let path = folder.path("a.m4a")
    try FFmpegWitness.make(path, from: source, "-c:a", "alac", "-sample_fmt", "s32p")
    #expect(try SoundFileReader(path: path).read(Int32.self, frameCount: 20_000) == samples)
  }

  @Test(arguments: [(1, 8000), (2, 22_050), (2, 44_100), (6, 48_000), (2, 96_000)])
  func `AAC in M4A has the original length and FFmpeg's samples`(
    channelCount: Int, hertz: Int
  ) throws {
    let source = try wave(tones(frameCount: 40_123, channelCount, hertz), channelCount, hertz)
    let path = folder.path("a.m4a")
    try FFmpegWitness.make(path, from: source, "-c:a", "aac", "-b:a", "128k", "-aac_pns", "0")
    let reader = try SoundFileReader(path: path)
    #expect(reader.frameCount == 40_123)
    let samples = reader.read(frameCount: 50_000)
    #expect(samples.count == 40_123 * channelCount)
    // FFmpeg includes the end.
    #expect(largestDifference(samples, try FFmpegWitness.samples(path)) < 1 / 32_768.0)
    for place in [0, 1023, 1024, 20_000, 40_000] {
      #expect(reader.locate(to: SampleTime(frames: Int64(place))))
      let part = reader.read(frameCount: 123)
      let expected = samples[place * channelCount..<(place + 123) * channelCount]
      #expect(largestDifference(part, Array(expected)) < 1e-6)
    }
    #expect(reader.formats.map(\.codec) == [.aac])
    #expect(reader.firstPlayable?.channelCount == channelCount)
  }

  @Test func `joined files without their gaps are the original sound`() throws {
    let whole = tones(frameCount: 60_000, 2, 44_100)
    let parts = [Array(whole[..<50_002]), Array(whole[50_002...])]
    var joined: [Float] = []
    for (index, part) in parts.enumerated() {
      let path = folder.path("\(index).m4a")
      try FFmpegWitness.make(path, from: wave(part, 2, 44_100), "-c:a", "aac", "-b:a", "256k")
      joined += try SoundFileReader(path: path).read(frameCount: 100_000)
    }
    #expect(joined.count == whole.count)
    let error = zip(joined, whole).map { abs($0 - Float($1) / 32_768) }.max() ?? 1
    #expect(error < 0.1)
  }

  /// A suffix and arguments.
  static let lossy: [(String, [String])] = [
    ("aac", ["-c:a", "aac"]), ("wma", ["-c:a", "wmav2"]), ("ac3", ["-c:a", "ac3"]),
    ("mkv", ["-c:a", "aac"]), ("webm", ["-c:a", "libopus"]), ("ts", ["-c:a", "aac"]),
    ("latm", ["-c:a", "aac", "-f", "latm"]),
    ("mp4", ["-c:a", "aac", "-movflags", "+frag_keyframe"]),
    ("mov", ["-c:a", "aac"]), ("mka", ["-c:a", "libvorbis"]), ("flv", ["-c:a", "aac"]),
    ("avi", ["-c:a", "libmp3lame"]),
  ]

  @Test(arguments: lossy)
  func `lossy files are read from the first frame to the last, like FFmpeg`(
    suffix: String, arguments: [String]
  ) throws {
    let source = try wave(tones(frameCount: 48_000, 2, 48_000), 2, 48_000)
    let path = folder.path("a.\(suffix)")
    try FFmpegWitness.run(["-i", source] + arguments + [path])
    let reader = try SoundFileReader(path: path)
    let expected = try FFmpegWitness.samples(path)
    let samples = reader.read(frameCount: 1 << 20)
    #expect(largestDifference(samples, expected) < 1 / 32_768.0)
    // The length of MP4 is known to the frame.
    if !suffix.hasPrefix("m") || suffix.hasPrefix("mk") { #expect(samples.count == expected.count) }
    #expect(reader.locate(to: SampleTime(frames: 30_000)))
    let part = reader.read(frameCount: 100)
    #expect(largestDifference(part, Array(samples[60_000..<60_200])) < 0.02)
    #expect(!reader.formats.isEmpty)
  }

  @Test func `MP3 has the length that its encoder states`() throws {
    let source = try wave(tones(frameCount: 44_444, 2, 44_100), 2, 44_100)
    for arguments in [["-b:a", "128k"], ["-q:a", "3"]] {
      let path = folder.path("a.mp3")
      try FFmpegWitness.run(["-i", source, "-c:a", "libmp3lame"] + arguments + [path])
      let reader = try SoundFileReader(path: path)
      #expect(reader.frameCount == 44_444)
      #expect(reader.read(frameCount: 50_000).count == 2 * 44_444)
      #expect(try PacketReader(path: path).table.frameCount == 44_444)
    }
  }

  @Test func `frames that iTunes marks as padding are left out`() throws {
    let source = try wave(tones(frameCount: 40_123, 2, 44_100), 2, 44_100)
    try FFmpegWitness.run([
      "-i", source, "-c:a", "aac", "-fflags", "+bitexact", folder.path("a.m4a"),
    ])
    let whole = try SoundFileReader(path: folder.path("a.m4a"))
    let decoded = try PacketReader(path: folder.path("a.m4a")).table.decodedFrameCount
    // The edit list is hidden, and the comment replaces the texts, which end the index and the
    // file.
    var bytes = try folder.bytes("a.m4a")
    let texts = try #require(bytes.indices.last { bytes[$0...].starts(with: Array("udta".utf8)) })
    bytes.removeSubrange((texts - 4)...)
    let edits = try #require(bytes.indices.last { bytes[$0...].starts(with: Array("edts".utf8)) })
    bytes.replaceSubrange(edits..<edits + 4, with: Array("free".utf8))
    let numbers = [0, 1024, Int(decoded) - 1024 - 40_123, 40_123].map { String($0, radix: 16) }
    let text = box(
      "data", [0, 0, 0, 1, 0, 0, 0, 0] + Array((" " + numbers.joined(separator: " ")).utf8))
    let names =
      box("mean", [0, 0, 0, 0] + Array("com.apple.iTunes".utf8))
      + box("name", [0, 0, 0, 0] + Array("iTunSMPB".utf8))
    let list = box("ilst", box("----", names + text))
    let comment = box("udta", box("meta", [0, 0, 0, 0] + list))
    let index = try #require(bytes.indices.last { bytes[$0...].starts(with: Array("moov".utf8)) })
    let size = bytes.count - index + 4 + comment.count
    bytes.replaceSubrange(index - 4..<index, with: [24, 16, 8, 0].map { UInt8(size >> $0 & 0xFF) })
    try folder.write(bytes + comment, to: "itunes.m4a")
    let reader = try SoundFileReader(path: folder.path("itunes.m4a"))
    #expect(reader.frameCount == 40_123)
    #expect(reader.read(frameCount: 50_000) == whole.read(frameCount: 50_000))
  }

  private func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    [0, 0, UInt8((content.count + 8) >> 8), UInt8((content.count + 8) & 0xFF)] + Array(name.utf8)
      + content
  }

  @Test(.enabled(if: MusepackWitness.isInstalled, "no mpcenc (make setup-test)"))
  func `Musepack is read from the first frame to the last, like FFmpeg`() throws {
    let source = try wave(tones(frameCount: 40_123, 2, 44_100), 2, 44_100)
    let path = folder.path("a.mpc")
    try MusepackWitness.make(path, from: source)
    let reader = try SoundFileReader(path: path)
    #expect(reader.rate.hertz == 44_100 && reader.channelCount == 2)
    let samples = reader.read(frameCount: 1 << 20)
    let expected = try FFmpegWitness.samples(path)
    #expect(samples.count == expected.count && samples.count >= 2 * 40_123)
    #expect(largestDifference(samples, expected) < 1 / 32_768.0)
    #expect(reader.locate(to: SampleTime(frames: 30_000)))
    #expect(
      largestDifference(reader.read(frameCount: 100), Array(samples[60_000..<60_200])) < 1e-6)
  }

  @Test func `the sound of a film is read without its pictures`() throws {
    let source = try wave(tones(frameCount: 48_000, 2, 48_000), 2, 48_000)
    let path = folder.path("film.mp4")
    try FFmpegWitness.run([
      "-f", "lavfi", "-i", "testsrc=size=64x48:rate=10:duration=1", "-i", source, "-c:v", "mpeg4",
      "-c:a", "aac", "-aac_pns", "0", path,
    ])
    let reader = try SoundFileReader(path: path)
    #expect(reader.frameCount == 48_000)
    let samples = reader.read(frameCount: 50_000)
    #expect(largestDifference(samples, try FFmpegWitness.samples(path)) < 1 / 32_768.0)
  }

  @Test func `tags and chapters are read`() throws {
    let source = try wave(tones(frameCount: 96_000, 1, 48_000), 1, 48_000)
    try folder.write(
      """
      ;FFMETADATA1
      title=A title
      artist=A Singer
      track=3/9
      [CHAPTER]
      TIMEBASE=1/1000
      START=0
      END=1000
      title=One
      [CHAPTER]
      TIMEBASE=1/1000
      START=1000
      END=2000
      title=Two
      """, to: "meta")
    for suffix in ["m4a", "mka"] {
      let path = folder.path("a.\(suffix)")
      try FFmpegWitness.run([
        "-i", source, "-i", folder.path("meta"), "-map_metadata", "1", "-c:a", "aac", path,
      ])
      let metadata = try SoundFileReader(path: path).metadata
      #expect(metadata.tags[.title] == "A title")
      #expect(metadata.tags[.artist] == "A Singer")
      #expect(metadata.tags[.trackNumber] == "3/9")
      #expect(metadata.markers.map(\.name) == ["One", "Two"])
      #expect(metadata.markers.map(\.position.frames) == [0, 48_000])
    }
  }

  @Test func `a truncated file reports the number of missing packets`() throws {
    let source = try wave(tones(frameCount: 48_000, 2, 48_000), 2, 48_000)
    let path = folder.path("a.m4a")
    try FFmpegWitness.make(path, from: source, "-c:a", "alac", "-movflags", "+faststart")
    let bytes = try folder.bytes("a.m4a")
    try folder.write(Array(bytes[..<(bytes.count * 2 / 3)]), to: "cut.m4a")
    let reader = try SoundFileReader(path: folder.path("cut.m4a"))
    guard case .packets(let missing, let all) = reader.shortfall else {
      Issue.record("\(String(describing: reader.shortfall))")
      return
    }
    #expect(all == 12)
    #expect((2...6).contains(missing))
    #expect(reader.read(Int16.self, frameCount: 99_999).count == 2 * 4096 * (all - missing))
    try folder.write(Array(bytes[..<2000]), to: "cut.m4a")
    #expect(throws: SoundFileError.self) { try SoundFileReader(path: folder.path("cut.m4a")) }
  }

  @Test func `an unknown format is refused with libsndfile's message`() throws {
    try folder.write("no sound at all, but some words of a letter", to: "letter.txt")
    let error = #expect(throws: SoundFileError.self) {
      try SoundFileReader(path: folder.path("letter.txt"))
    }
    #expect(error?.description.contains("not a readable sound file") == true)
  }

  private func largestDifference(_ first: [Float], _ second: [Float]) -> Float {
    zip(first, second).map { abs($0 - $1) }.max() ?? .infinity
  }

  private func wave<Sample: AudioSample>(
    _ samples: [Sample], _ channelCount: Int, _ hertz: Int,
    _ encoding: SoundFileFormat.Encoding = .integer16
  ) throws -> String {
    let path = try folder.path("source-\(folder.names().count).wav")
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(.wav, encoding), channelCount: channelCount,
      rate: #require(SampleRate(hertz: hertz)))
    try writer.write(samples.span)
    try writer.finish()
    return path
  }

  /// A different tone in each channel, that grows and fades.
  private func tones(frameCount: Int, _ channelCount: Int, _ hertz: Int) -> [Int16] {
    (0..<frameCount * channelCount).map { index in
      let (frame, channel) = (index / channelCount, index % channelCount)
      let time = Double(frame) / Double(hertz)
      let swell = 0.6 + 0.4 * sin(time * 7)
      return Int16(9000 * swell * sin(2 * .pi * Double(200 + 170 * channel) * time))
    }
  }
}
