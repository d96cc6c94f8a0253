// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import Foundation
import MusicalTime
import TestSupport
import Testing

/// Ogg files as radio stations send them: chained links, without a last page.
///
/// FFmpeg's program creates the links, and decodes each one separately for comparison.
@Suite(
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg"),
    "no ffmpeg (make setup-test)"))
struct ChainedOggTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func run(_ words: [String]) throws {
    let run = try ToolRun(["-v", "error", "-y"] + words, command: "/usr/bin/ffmpeg", limit: 60)
    try #require(run.status == 0, "\(run.errors)")
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: folder.path(name))))
  }

  /// A link of some seconds of a tone, two channels.
  private func link(_ hertz: Int, seconds: Int, rate: Int, _ words: String...) throws -> [UInt8] {
    let tone = "0.5*sin(\(hertz)*2*PI*t)|0.3*sin(\(2 * hertz)*2*PI*t)"
    try run(
      ["-f", "lavfi", "-i", "aevalsrc=\(tone):s=\(rate):d=\(seconds)"] + words
        + ["-f", "ogg", folder.path("link.ogg")])
    return try bytes("link.ogg")
  }

  /// The left channel of a link as FFmpeg's program decodes it.
  private func witness(_ link: [UInt8], rate: Int) throws -> [Float] {
    let path = try folder.write("link.ogg", link)
    try run([
      "-i", path, "-f", "f32le", "-ac", "2", "-ar", "\(rate)", folder.path("link.raw"),
    ])
    let samples = try unsafe Data(bytes("link.raw")).withUnsafeBytes { raw in
      unsafe Array(raw.bindMemory(to: Float.self))
    }
    return Self.left(samples)
  }

  private static func left(_ samples: [Float]) -> [Float] {
    stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
  }

  /// The largest difference; infinite if the counts differ.
  private static func difference(_ read: [Float], _ expected: [Float]) -> Float {
    guard read.count == expected.count else { return .infinity }
    return zip(read, expected).reduce(0) { max($0, abs($1.0 - $1.1)) }
  }

  /// FFmpeg's own decoder of Opus is not the one used here.
  private static func bound(_ codec: String) -> Float { codec == "libopus" ? 2e-3 : 1e-5 }

  @Test(arguments: ["libvorbis", "libopus", "flac"])
  func `all links of a chain are read`(codec: String) throws {
    let rate = codec == "libopus" ? 48_000 : 44_100
    let links = try [
      link(300, seconds: 3, rate: rate, "-c:a", codec),
      link(500, seconds: 2, rate: rate, "-c:a", codec, "-b:a", "48k"),
    ]
    let path = try folder.write("chain.ogg", links.flatMap { $0 })
    let reader = try SoundFileReader(path: path)
    let expected = try links.flatMap { try witness($0, rate: rate) }
    let samples = reader.read(frameCount: 6 * rate)
    #expect(reader.channelCount == 2 && reader.rate.hertz == rate && reader.shortfall == nil)
    let difference = Self.difference(Self.left(samples), expected)
    #expect(difference < Self.bound(codec), "\(samples.count / 2) \(expected.count)")
    // To a frame of the second link, and back to one of the first.
    for frame in [4 * rate + 7, rate + 3] {
      #expect(reader.locate(to: SampleTime(frames: Int64(frame))))
      let part = reader.read(frameCount: 5000)
      let isSame = part.elementsEqual(samples[2 * frame..<2 * (frame + 5000)])
      #expect(isSame)
    }
  }

  @Test func `later links are converted to the rate and channels of the first`() throws {
    let first = try link(300, seconds: 2, rate: 44_100, "-c:a", "libvorbis")
    let second = try link(300, seconds: 2, rate: 48_000, "-c:a", "libopus", "-ac", "1")
    let reader = try SoundFileReader(path: folder.write("chain.ogg", first + second))
    let samples = reader.read(frameCount: 1_000_000)
    #expect(reader.channelCount == 2 && abs(samples.count / 2 - 4 * 44_100) < 50)
    let tail = Self.left(samples).dropFirst(3 * 44_100)
    let power = tail.prefix(22_050).reduce(0) { $0 + $1 * $1 } / 22_050
    // FFmpeg mixes both channels to one by 1/√2 each.
    #expect(abs(power - (0.5 * 0.5 + 0.3 * 0.3) / 4) < 0.01)
  }

  @Test func `a single link is not a chain, and has a length`() throws {
    let path = try folder.write("a.ogg", link(300, seconds: 2, rate: 44_100, "-c:a", "libvorbis"))
    #expect(try SoundFileReader(path: path).frameCount == 2 * 44_100)
  }

  @Test(arguments: ["libvorbis", "libopus", "flac"])
  func `a file without its last page is read to its end`(codec: String) throws {
    let rate = codec == "libopus" ? 48_000 : 44_100
    let whole = try link(300, seconds: 6, rate: rate, "-c:a", codec, "-page_duration", "200000")
    let cut = Array(whole.prefix(whole.count * 2 / 3))
    for bytes in [cut, try link(500, seconds: 2, rate: rate, "-c:a", codec) + cut] {
      let reader = try SoundFileReader(path: folder.write("cut.ogg", bytes))
      #expect(reader.shortfall == .lastPage)
      let all = Self.left(reader.read(frameCount: 20 * rate))
      let part = all.dropFirst(bytes.count == cut.count ? 0 : 2 * rate)
      let expected = try witness(whole, rate: rate)
      #expect(part.count > 2 * rate && part.count < expected.count)
      let difference = Self.difference(Array(part), Array(expected.prefix(part.count)))
      #expect(difference < Self.bound(codec))
    }
    #expect(throws: SoundFileError.self) {
      try SoundFileReader(path: folder.write("head.ogg", Array(whole.prefix(100))))
    }
  }
}
