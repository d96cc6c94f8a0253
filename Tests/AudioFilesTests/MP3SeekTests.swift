// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioTestSupport
import Glibc
import MusicalTime
import TestSupport
import Testing

/// Seeks in MP3: with a length stated by the encoder, with a table of contents, and with neither.
@Suite(.enabled(if: FFmpegWitness.isInstalled, "no ffmpeg (make setup-test)"))
struct MP3SeekTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// A name, and arguments of the encoder.
  static let kinds: [(String, [String])] = [
    ("constant bitrate", ["-b:a", "128k"]),
    ("constant bitrate without a tag", ["-b:a", "128k", "-write_xing", "0"]),
    ("variable bitrate", ["-q:a", "4"]),
    ("variable bitrate without a tag", ["-q:a", "4", "-write_xing", "0"]),
    ("no reservoir", ["-b:a", "96k", "-reservoir", "0"]),
    ("one channel at a low rate", ["-ar", "16000", "-ac", "1", "-b:a", "24k"]),
  ]

  @Test(arguments: kinds)
  func `samples after a seek equal those read from the start, bit for bit`(
    name: String, arguments: [String]
  ) throws {
    let path = try encode(arguments)
    let reader = try SoundFileReader(path: path)
    let channels = reader.channelCount
    let whole = reader.read(frameCount: 1 << 20)
    #expect(whole.count == reader.frameCount * channels)
    #expect(!reader.isFrameCountEstimated)
    var random = SplitMix(seed: 3)
    for round in 0..<60 {
      // Forward and backward in one reader, and in a new one.
      let reader = round % 3 == 0 ? try SoundFileReader(path: path) : reader
      let last = reader.frameCount - 1
      let frame = round < 3 ? [0, last, 1][round] : Int.random(in: 0...last, using: &random)
      #expect(reader.locate(to: SampleTime(frames: Int64(frame))))
      let part = reader.read(frameCount: 3000)
      let end = min(whole.count, (frame + 3000) * channels)
      #expect(part == Array(whole[frame * channels..<end]), "frame \(frame)")
    }
    #expect(!reader.locate(to: SampleTime(frames: Int64(reader.frameCount) + 1)))
  }

  @Test func `a scanned file is cached until it changes`() throws {
    let path = try encode(["-q:a", "4", "-write_xing", "0"])
    // Files that are younger are not cached.
    usleep(100_000)
    let whole = try SoundFileReader(path: path).read(frameCount: 1 << 20)
    let again = try SoundFileReader(path: path)
    #expect(again.locate(to: SampleTime(frames: 50_000)))
    #expect(again.read(frameCount: 1000) == Array(whole[100_000..<102_000]))
    let bytes = try folder.bytes("a.mp3")
    try folder.write(Array(bytes[..<(bytes.count / 2)]), to: "a.mp3")
    let half = try SoundFileReader(path: path)
    #expect(half.frameCount < again.frameCount * 3 / 5)
    let frames = half.read(frameCount: 1 << 20).count / 2
    #expect(frames == half.frameCount)
  }

  @Test func `samples are FFmpeg's and the length is the encoder's, also after a picture`() throws {
    let path = try encode(["-q:a", "2", "-metadata", "title=Third"])
    let bytes = try folder.bytes("a.mp3")
    let theirs = try FFmpegWitness.samples(path)
    // A tag with a picture of 200,000 bytes.
    let size = 200_000
    let tag = Array("ID3".utf8) + [3, 0, 0] + [21, 14, 7, 0].map { UInt8(size >> $0 & 0x7F) }
    let frame =
      Array("APIC".utf8) + [24, 16, 8, 0].map { UInt8((size - 10) >> $0 & 0xFF) } + [0, 0]
    try folder.write(
      tag + frame + Array(repeating: 0x55, count: size - 10) + bytes, to: "picture.mp3")
    for name in ["a.mp3", "picture.mp3"] {
      let reader = try SoundFileReader(path: folder.path(name))
      #expect(reader.frameCount == Self.frameCount)
      #expect(reader.formats.map(\.codec) == [.mp3])
      #expect(reader.format?.container == .mp3)
      let ours = reader.read(frameCount: 1 << 20)
      #expect(ours.count == 2 * Self.frameCount)
      let difference = zip(ours, theirs).map { abs($0 - $1) }.max() ?? 1
      #expect(difference <= 1 / 32_768.0)
    }
    #expect(try SoundFileReader(path: path).metadata.tags[.title] == "Third")
  }

  @Test func `a tag with a wrong length does not add sound`()
    throws
  {
    let path = try encode(["-q:a", "4"])
    let bytes = try folder.bytes("a.mp3")
    let mark = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("Xing".utf8)) })
    let whole = try SoundFileReader(path: path).read(frameCount: 1 << 20)
    for (count, name) in [(20, "few.mp3"), (1 << 30, "many.mp3")] {
      var lying = bytes
      for place in 0..<4 {
        lying[mark + 8 + place] = UInt8(truncatingIfNeeded: count >> (24 - 8 * place))
      }
      try folder.write(lying, to: name)
      let reader = try SoundFileReader(path: folder.path(name))
      let samples = reader.read(frameCount: 1 << 20)
      // The frames after the end of the sound are then included.
      #expect(samples.count <= whole.count + 2 * 2400)
      #expect(samples.starts(with: whole.prefix(samples.count)) || samples.starts(with: whole))
      #expect(samples.count < 2 * 1152 * 20 || count > 20)
      let isThere = reader.locate(to: SampleTime(frames: 1 << 33))
      #expect(!isThere || reader.read(frameCount: 1).isEmpty)
      #expect(reader.locate(to: SampleTime(frames: 5000)))
      #expect(reader.read(frameCount: 10) == Array(whole[10_000..<10_020]))
    }
  }

  private static let frameCount = 132_300

  /// Three seconds of tones and noise; returns the file's name.
  private func encode(_ arguments: [String]) throws -> String {
    let sound = "0.3*sin(2*PI*(300+100*t)*t)+0.1*random(0)|0.3*sin(2*PI*440*t)"
    let path = folder.path("a.mp3")
    try FFmpegWitness.run(
      ["-f", "lavfi", "-i", "aevalsrc='\(sound)':s=44100:d=3", "-c:a", "libmp3lame"] + arguments
        + [path])
    return path
  }
}
