// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioTestSupport
import MusicalTime
import TestSupport
import Testing

/// Uncompressed samples of each encoding in each container, compared with FFmpeg's bit for bit.
@Suite(.enabled(if: FFmpegWitness.isInstalled, "no ffmpeg (make setup-test)"))
struct SampleWitnessTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  static let kinds: [(String, [String])] =
    kinds("wav", ["u8", "s16le", "s24le", "s32le", "f32le", "f64le", "mulaw", "alaw"])
    + kinds("wav", ["s24le", "f32le", "f64le"], ["-rf64", "always"])
    + kinds("w64", ["u8", "s16le", "s24le", "s32le", "f32le", "f64le", "mulaw", "alaw"])
    + kinds(
      "aiff", ["s8", "s16be", "s16le", "s24be", "s32be", "f32be", "f64be", "mulaw", "alaw"])
    + kinds(
      "caf",
      [
        "s8", "s16be", "s16le", "s24be", "s24le", "s32be", "s32le", "f32be", "f32le", "f64be",
        "f64le", "mulaw", "alaw",
      ])
    + kinds("au", ["s8", "s16be", "s24be", "s32be", "f32be", "f64be", "mulaw", "alaw"])

  private static func kinds(
    _ suffix: String, _ codecs: [String], _ options: [String] = []
  ) -> [(String, [String])] {
    codecs.map { (suffix, ["-c:a", "pcm_\($0)"] + options) }
  }

  private func doubles(_ path: String) throws -> [Double] {
    let bytes = try FFmpegWitness.output(["-i", path, "-f", "f64le", "pipe:1"])
    return unsafe bytes.withUnsafeBytes { bytes in
      (0..<bytes.count / 8).map {
        unsafe bytes.loadUnaligned(fromByteOffset: 8 * $0, as: Double.self)
      }
    }
  }

  @Test(arguments: kinds)
  func `samples, number of frames and layout are FFmpeg's`(
    suffix: String, words: [String]
  ) throws {
    let path = folder.path("a.\(suffix)")
    let source = "0.4*sin(300*t)+0.1*random(0)"
    // With more than two channels the format of WAVE and Wave64 is extensible.
    for channels in [1, 6] {
      let all = Array(repeating: source, count: channels).joined(separator: "|")
      try FFmpegWitness.run(
        ["-f", "lavfi", "-i", "aevalsrc='\(all)':s=44100:d=0.1"] + words + [path])
      let reader = try SoundFileReader(path: path)
      let (ours, theirs) = (reader.read(Double.self, frameCount: 10_000), try doubles(path))
      // FFmpeg includes the padding of the Wave64 chunk to eight bytes.
      let filling = suffix == "w64" ? 8 : 0
      let difference = theirs.count - ours.count
      let what = "\(channels) channels, \(ours.count) samples, not \(theirs.count)"
      #expect((0...filling).contains(difference), "\(what)")
      #expect(ours.elementsEqual(theirs.prefix(ours.count)), "\(what)")
      #expect(reader.frameCount * channels == ours.count)
      #expect((0...filling).contains(ours.count - 4410 * channels), "\(what)")
      #expect(reader.shortfall == nil && reader.formatName.hasPrefix("FFmpeg") == false)
      try seek(reader, ours)
    }
  }

  /// A part equals that of the whole.
  private func seek(_ reader: SoundFileReader, _ all: [Double]) throws {
    #expect(reader.locate(to: SampleTime(frames: 1234)))
    let part = reader.read(Double.self, frameCount: 500)
    let start = 1234 * reader.channelCount
    #expect(part.elementsEqual(all[start..<start + 500 * reader.channelCount]))
  }
}
