// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioTestSupport
import TestSupport
import Testing

@Suite(.enabled(if: FFmpegWitness.isInstalled, "no ffmpeg (make setup-test)"))
struct PacketReaderTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// A suffix, arguments, and frames before and after the sound; the sound has 88,200 frames.
  static let kinds: [(String, [String], SoundCodec, Int, Int)] = [
    ("m4a", ["-c:a", "aac"], .aac, 1024, 0), ("m4a", ["-c:a", "alac"], .alac, 0, 0),
    ("aac", ["-c:a", "aac"], .aac, 0, 0), ("mp3", ["-c:a", "libmp3lame"], .mp3, 1105, 0),
    ("mp4", ["-c:a", "libmp3lame"], .mp3, 0, 0),
  ]

  @Test(arguments: kinds)
  func `packets have FFmpeg's positions and bytes`(
    suffix: String, arguments: [String], codec: SoundCodec, priming: Int, remainder: Int
  ) throws {
    let path = folder.path("a.\(suffix)")
    try FFmpegWitness.run(
      ["-f", "lavfi", "-i", "sine=sample_rate=44100:duration=2"] + arguments + [path])
    let reader = try PacketReader(path: path)
    let expected = try FFmpegWitness.packets(path)
    #expect(reader.table.packets.count == expected.count)
    // FFmpeg includes an ADTS header in its packet.
    let head: Int = suffix == "aac" ? 7 : 0
    for (ours, theirs) in zip(reader.table.packets, expected) {
      #expect(ours.offset == theirs.offset + Int64(head))
      #expect(ours.byteCount == theirs.byteCount - head)
    }
    let file = try folder.bytes("a.\(suffix)")
    for number in [0, 1, expected.count / 2, expected.count - 1] {
      let packet = reader.table.packets[number]
      let range = Int(packet.offset)..<Int(packet.offset) + packet.byteCount
      #expect(reader.packet(number) == Array(file[range]))
    }
    #expect(reader.packet(expected.count) == nil)
    #expect(reader.formats.first?.codec == codec)
    if suffix != "mp4" { #expect(reader.table.primingFrameCount == priming) }
    if codec == .alac || codec == .aac, suffix == "m4a" || codec == .alac {
      #expect(reader.table.frameCount == 88_200)
    }
    let middle = try #require(reader.table.packet(ofFrame: 44_100))
    let packet = reader.table.packets[middle]
    let place = Int64(44_100 + reader.table.primingFrameCount)
    #expect((packet.firstFrame..<packet.firstFrame + Int64(packet.frameCount)).contains(place))
    #expect(reader.table.packet(ofFrame: -1) == nil)
    #expect(reader.table.packet(ofFrame: reader.table.frameCount) == nil)
  }
}
