// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioTestSupport
import MusicalTime
import TestSupport
import Testing

/// Files that are joined without re-encoding.
@Suite(.enabled(if: FFmpegWitness.isInstalled, "no ffmpeg (make setup-test)"))
struct PacketJoinTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// A suffix, and arguments of FFmpeg.
  ///
  /// Noise that a decoder generates would differ each time.
  static let kinds: [(String, [String])] = [
    ("m4a", ["-c:a", "aac", "-aac_pns", "0"]), ("m4a", ["-c:a", "alac"]),
    ("mp3", ["-c:a", "libmp3lame", "-b:a", "128k"]),
    ("mp3", ["-c:a", "libmp3lame", "-q:a", "2", "-ar", "22050"]),
    ("mp3", ["-c:a", "libmp3lame", "-q:a", "9", "-ac", "1"]),
  ]

  /// A rising tone of a length in frames at 44.1 kHz.
  private func wave(_ name: String, frames: Int, from hertz: Int = 900) throws -> String {
    let tone = "aevalsrc=0.4*sin(200*t*t+\(hertz)*t)|0.3*sin(150*t*t+2000*t):s=44100"
    let path = folder.path(name)
    try FFmpegWitness.run([
      "-f", "lavfi", "-i", tone, "-af", "atrim=end_sample=\(frames)", "-c:a", "pcm_s16le", path,
    ])
    return path
  }

  private func encode(_ wave: String, _ name: String, _ arguments: [String]) throws -> String {
    try FFmpegWitness.run(["-i", wave] + arguments + [folder.path(name)])
    return folder.path(name)
  }

  private func join(_ paths: [String], _ name: String) throws -> (join: PacketJoin, path: String) {
    let container = try #require(SoundFileFormat.Container(path: name))
    let join = try PacketJoin(try paths.map { try PacketReader(path: $0) }, for: container)
    #expect(try PacketFile.write(join, to: folder.path(name), as: container))
    return (join, folder.path(name))
  }

  private func samples(_ path: String) throws -> [Float] {
    let reader = try SoundFileReader(path: path)
    let samples = reader.read(frameCount: 1 << 20)
    #expect(samples.count == reader.frameCount * reader.channelCount)
    return samples
  }

  @Test(arguments: kinds)
  func `parts of one file join to the original, here and in FFmpeg`(
    suffix: String, arguments: [String]
  ) throws {
    let whole = try encode(try wave("a.wav", frames: 90_001), "whole.\(suffix)", arguments)
    let reader = try PacketReader(path: whole)
    let container = try #require(SoundFileFormat.Container(path: whole))
    let end = reader.table.frameCount
    // The third part starts at a packet; the fourth is shorter than one.
    let third = reader.table.packets[reader.table.packets.count / 3]
    let packet = third.firstFrame - Int64(reader.table.primingFrameCount)
    let bounds = [0, 12_345, packet, packet + 7_000, packet + 7_100, end]
    let parts = try zip(bounds, bounds.dropFirst()).map { from, to in
      let excerpt = try #require(PacketExcerpt(reader, frames: from..<to, for: container))
      let path = folder.path("part-\(from).\(suffix)")
      #expect(try PacketFile.write(excerpt, to: path, as: container))
      return path
    }
    let (join, path) = try join(parts, "joined.\(suffix)")
    #expect(join.frameCount == end)
    #expect(join.seams.map(\.frame) == Array(bounds[1...4]))
    #expect(join.seams.allSatisfy { $0.silentFrameCount == 0 })
    let joined = try PacketReader(path: path)
    #expect(joined.table.gaps.isEmpty && joined.table.frameCount == end)
    #expect(joined.table.packets.count == reader.table.packets.count)
    #expect(try samples(path) == samples(whole))
    let channelCount = try #require(reader.formats.first).channelCount
    let length = Int(end) * channelCount
    #expect(
      try FFmpegWitness.samples(path).prefix(length).elementsEqual(
        try FFmpegWitness.samples(whole).prefix(length)))
  }

  @Test func `joined lossless files have the original samples, bit for bit`() throws {
    let waves = [try wave("a.wav", frames: 50_001), try wave("b.wav", frames: 4_097, from: 40)]
    let parts = try waves.enumerated().map { try encode($1, "\($0).m4a", ["-c:a", "alac"]) }
    let (join, path) = try join(parts, "joined.m4a")
    #expect(join.frameCount == 54_098)
    let expected = try waves.flatMap(samples)
    #expect(try samples(path) == expected)
    #expect(try FFmpegWitness.samples(path) == expected)
    #expect(try FFmpegWitness.durationInFrames(path) == 54_098)
    let count = try parts.reduce(0) { try $0 + PacketReader(path: $1).table.packets.count }
    #expect(try FFmpegWitness.packets(path).count == count)
  }

  @Test func `joined AAC files play without a gap, and each keeps its samples`() throws {
    let waves = try [50_001, 33_333, 1_500].map { try wave("\($0).wav", frames: $0, from: $0 / 50) }
    let parts = try waves.enumerated().map {
      try encode($1, "\($0).m4a", ["-c:a", "aac", "-aac_pns", "0", "-b:a", "192k"])
    }
    let (join, path) = try join(parts, "joined.m4a")
    #expect(join.frameCount == 84_834 && join.seams.map(\.frame) == [50_001, 83_334])
    let reader = try SoundFileReader(path: path)
    #expect(reader.frameCount == 84_834)
    #expect(try PacketReader(path: path).table.gaps.count == 2)
    let expected = try parts.flatMap(samples)
    let joined = try samples(path)
    #expect(joined == expected)
    let original = try waves.flatMap(samples)
    let far = zip(joined, original).map { abs($0 - $1) }
    #expect(far.reduce(0, +) / Float(far.count) < 0.01)
    for frame in [0, 49_000, 50_000, 50_001, 60_000, 83_333, 84_833] {
      #expect(reader.locate(to: SampleTime(frames: Int64(frame))))
      let heard = reader.read(frameCount: 400)
      #expect(heard == Array(expected[(2 * frame)...].prefix(800)), "\(frame)")
    }
    #expect(reader.locate(to: SampleTime(frames: 84_834)) && reader.read(frameCount: 1).isEmpty)
    #expect(!reader.locate(to: SampleTime(frames: 84_835)))
    // A part across the first seam, cut from the joined file.
    let excerpt = try #require(
      PacketExcerpt(try PacketReader(path: path), frames: 40_000..<55_000, for: .m4a))
    #expect(try PacketFile.write(excerpt, to: folder.path("part.m4a"), as: .m4a))
    #expect(try samples(folder.path("part.m4a")) == Array(expected[80_000..<110_000]))
  }

  @Test func `frames that MP3 and ADTS cannot mark as silent are reported`() throws {
    let waves = [try wave("a.wav", frames: 50_001), try wave("b.wav", frames: 30_000, from: 40)]
    for (suffix, codec) in [
      ("mp3", ["-c:a", "libmp3lame"]), ("aac", ["-c:a", "aac", "-aac_pns", "0"]),
    ] {
      let parts = try waves.enumerated().map { number, wave in
        try encode(wave, "\(number).\(suffix)", codec + ["-b:a", "192k"])
      }
      let (join, path) = try join(parts, "joined.\(suffix)")
      let tables = try parts.map { try PacketReader(path: $0).table }
      let silent = tables[0].remainderFrameCount + tables[1].primingFrameCount
      #expect(join.seams.map(\.silentFrameCount) == [silent])
      let joined = try PacketReader(path: path).table
      #expect(joined.frameCount == join.frameCount)
      #expect(join.frameCount == tables[0].frameCount + tables[1].frameCount + Int64(silent))
      #expect(join.seams.map(\.frame) == [tables[0].frameCount + Int64(silent)])
      // After the first packet of a file its samples are exact.
      let heard = try FFmpegWitness.samples(path).dropFirst(2 * Int(join.seams[0].frame))
      let own = try FFmpegWitness.samples(parts[1])
      #expect(
        heard.dropFirst(4_000).prefix(40_000).elementsEqual(own.dropFirst(4_000).prefix(40_000)))
    }
  }

  @Test func `files that differ are refused with the difference and the remedy`() throws {
    let stereo = try wave("a.wav", frames: 20_000)
    let first = try encode(stereo, "first.m4a", ["-c:a", "aac"])
    let kinds: [(String, [String], String)] = [
      ("x.m4a", ["-c:a", "alac"], "its codec is ALAC, that of \(first) is AAC"),
      ("x.mp3", ["-c:a", "libmp3lame"], "its codec is MP3, that of \(first) is AAC"),
      (
        "x.m4a", ["-c:a", "aac", "-ar", "48000"],
        "its sample rate is 48000 Hz, that of \(first) is 44100 Hz"
      ),
      ("x.m4a", ["-c:a", "aac", "-ac", "1"], "it has one channel, \(first) has 2 channels"),
    ]
    for (name, arguments, words) in kinds {
      let other = try encode(stereo, name, arguments)
      let readers = try [first, other].map { try PacketReader(path: $0) }
      let error = #expect(throws: SoundFileError.self) { try PacketJoin(readers, for: .m4a) }
      let sentence = error?.description ?? ""
      #expect(
        sentence.hasPrefix("\(other): cannot be joined: \(words)"), "\(sentence)")
      #expect(sentence.contains("sound convert"), "\(sentence)")
    }
  }
}
