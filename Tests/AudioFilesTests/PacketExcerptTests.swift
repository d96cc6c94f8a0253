// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioTestSupport
import TestSupport
import Testing

/// Parts of sound files that are cut without re-encoding, decoded by FFmpeg.
@Suite(.enabled(if: FFmpegWitness.isInstalled, "no ffmpeg (make setup-test)"))
struct PacketExcerptTests {
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

  /// Two seconds of a rising tone, at 44.1 kHz.
  private func sound(_ suffix: String, _ arguments: [String]) throws -> String {
    let path = folder.path("whole.\(suffix)")
    let tone = "aevalsrc=0.4*sin(200*t*t+900*t)|0.3*sin(150*t*t+2000*t):s=44100:d=2"
    try FFmpegWitness.run(["-f", "lavfi", "-i", tone] + arguments + [path])
    return path
  }

  private func cut(
    _ path: String, _ frames: Range<Int64>, _ name: String
  ) throws -> (excerpt: PacketExcerpt, path: String) {
    let container = try #require(SoundFileFormat.Container(path: name))
    let reader = try PacketReader(path: path)
    let excerpt = try #require(PacketExcerpt(reader, frames: frames, for: container))
    let target = folder.path(name)
    #expect(try PacketFile.write(excerpt, to: target, as: container))
    return (excerpt, target)
  }

  @Test(arguments: kinds)
  func `a part is exact to the frame, with the samples of the whole`(
    suffix: String, arguments: [String]
  ) throws {
    let path = try sound(suffix, arguments)
    let whole = try FFmpegWitness.samples(path)
    let reader = try PacketReader(path: path)
    let channelCount = try #require(reader.formats.first).channelCount
    for frames in [Int64(0)..<10_000, 12_345..<30_001, 20_000..<reader.table.frameCount] {
      let part = try cut(path, frames, "part.\(suffix)")
      #expect(part.excerpt.frames == frames)
      // FFmpeg plays the remainder of the last AAC packet, even if the file marks it.
      let heard = try FFmpegWitness.samples(part.path).prefix(channelCount * frames.count)
      let expected = whole.dropFirst(channelCount * Int(frames.lowerBound)).prefix(heard.count)
      #expect(heard.count == channelCount * frames.count && heard == expected, "\(frames)")
      #expect(try PacketReader(path: part.path).table.frameCount == Int64(frames.count))
    }
  }

  @Test func `ADTS is cut at packet boundaries, and is copied to M4A and back unchanged`() throws {
    let path = try sound("aac", ["-c:a", "aac"])
    let table = try PacketReader(path: path).table
    let part = try cut(path, 5_000..<9_000, "part.aac")
    #expect(part.excerpt.frames == 4_096..<9_216)
    let packets = try PacketReader(path: part.path)
    #expect(packets.table.packets.count == 5)
    let source = try PacketReader(path: path)
    for number in 0..<5 { #expect(packets.packet(number) == source.packet(number + 4)) }
    let boxed = try cut(path, 0..<table.frameCount, "boxed.m4a")
    #expect(try FFmpegWitness.packets(boxed.path).count == table.packets.count)
    let bare = try cut(boxed.path, 0..<table.frameCount, "bare.aac")
    #expect(try folder.bytes("bare.aac") == (try folder.bytes("whole.aac")))
    #expect(bare.excerpt.frames == 0..<table.frameCount)
  }

  @Test func `tags are written to M4A, and FFmpeg reads them`() throws {
    let path = try sound("m4a", ["-c:a", "aac"])
    let reader = try PacketReader(path: path)
    let excerpt = try #require(PacketExcerpt(reader, frames: 0..<5_000, for: .m4a))
    let tags: [SoundFileMetadata.Tag: String] = [
      .title: "Ein Stück", .artist: "An artist", .trackNumber: "3/9",
    ]
    let target = folder.path("tagged.m4a")
    #expect(try PacketFile.write(excerpt, to: target, as: .m4a, tags: tags))
    let read = try SoundFileReader(path: target)
    for (tag, text) in tags { #expect(read.metadata.tags[tag] == text) }
    #expect(try FFmpegWitness.text("format_tags=title", of: target) == "Ein Stück")
  }

  @Test func `unsupported codecs are refused, and a cancelled copy leaves no file`() throws {
    let path = try sound("mp3", ["-c:a", "libmp3lame"])
    let reader = try PacketReader(path: path)
    #expect(PacketExcerpt(reader, frames: 1 << 40..<1 << 41, for: .mp3) == nil)
    let excerpt = try #require(PacketExcerpt(reader, frames: 0..<5_000, for: .mp3))
    let target = folder.path("no.m4a")
    let error = #expect(throws: SoundFileError.self) {
      try PacketFile.write(excerpt, to: target, as: .m4a)
    }
    #expect(
      error?.description
        == "\(target): this file format does not support MP3 packets (end the name in .mp3)")
    let ended = try PacketFile.write(excerpt, to: folder.path("no.mp3"), as: .mp3) { _ in false }
    #expect(!ended)
    #expect(try folder.names() == ["whole.mp3"])
  }
}
