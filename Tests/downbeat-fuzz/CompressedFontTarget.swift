// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import Foundation
import MusicalTime
import SoundFontFiles
import SoundFontVoices
import TestSupport

/// SF3 fonts of each codec with damaged streams, false lengths, loops, rates and tunings: checked,
/// decoded, played, compressed and written.
struct CompressedFontTarget: FuzzTarget {
  /// A font of one compressed sample.
  private struct Seed {
    let name: String
    let font: [UInt8]
    /// The bytes of its stream.
    let stream: Range<Int>
    /// The first byte of its sample header.
    let header: Int

    init(_ name: String, _ bytes: [UInt8]) {
      let font = TinySoundFont.compressed(bytes)
      let start = font.indices.first { font[$0...].starts(with: bytes) } ?? 0
      self.name = name
      self.font = font
      stream = start..<start + bytes.count
      header = 8 + (font.indices.last { font[$0...].starts(with: "shdr".utf8) } ?? 0)
    }
  }

  private let scene: FuzzScene
  private let seeds: [Seed]
  private var voices: VoiceTarget
  private var judged: [String: Int] = [:]
  private var written = 0

  init(_ scene: FuzzScene) throws {
    let samples = (0..<3000).map { Float(sin(Double($0) * .pi / 50)) / 2 }
    let frames = samples.map { Int16($0 * 32_767) }
    seeds = [
      Seed("vorbis", try Self.stream(samples, "whole.ogg", in: scene)),
      Seed("opus", try Self.stream(samples, "whole.opus", in: scene)),
      Seed("flac", try Self.stream(samples, "whole.flac", in: scene)),
      Seed("frames", FLACMaker.native([.verbatim(frames), .equal(5, count: 500)])),
      Seed("ogg-flac", FLACMaker.ogg([.verbatim(frames), .equal(5, count: 500)], claim: 0)),
      Seed("silence", FLACMaker.native(Array(repeating: .equal(0, count: 65_535), count: 40))),
    ]
    self.scene = scene
    voices = VoiceTarget(scene)
  }

  private static func stream(
    _ samples: [Float], _ name: String, in scene: FuzzScene
  ) throws -> [UInt8] {
    guard let rate = SampleRate(hertz: 48_000) else { throw FuzzFault(sentence: "no rate") }
    let path = scene.folder.appendingPathComponent(name).path
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(path: path), channelCount: 1, rate: rate)
    try writer.write(samples.span)
    try writer.finish()
    defer { unsafe unlink(path) }
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  var tally: String {
    let counts = seeds.map { "\($0.name) \(judged[$0.name, default: 0])" }
    return "\(counts.joined(separator: ", ")) judged, \(written) written, \(voices.tally)"
  }

  mutating func attack(_ random: inout SplitMix) throws {
    guard let seed = seeds.randomElement(using: &random) else { return }
    var bytes =
      Int.random(in: 0..<3, using: &random) == 0
      ? FontTarget.mutated(seed.font, &random) : seed.font
    if bytes.count == seed.font.count { falsify(&bytes, seed, &random) }
    try scene.keep(bytes)
    let font = FontBytes(bytes)
    do {
      _ = try SoundFontTables(font).findings(in: font, codecs: SampleCodec.decodable)
      judged[seed.name, default: 0] += 1
      if Int.random(in: 0..<8, using: &random) == 0 { try compress(font) }
    } catch {
      try FuzzFault.unless(!"\(error)".isEmpty, "an error without a sentence")
    }
    try voices.attack(bytes, &random)
    let isSanitized = unsafe getenv("ASAN_OPTIONS") != nil
    // The program itself, 64 MiB and four times the frames of a stream.
    let peak = try PeakMemory.bytes()
    try FuzzFault.unless(peak < 256 << 20 || isSanitized, "\(peak) bytes of memory")
  }

  /// Compresses what is not compressed yet, and writes the font.
  private mutating func compress(_ font: FontBytes) throws {
    var document = try SoundFontDocument(font)
    try document.compressSamples(quality: 0.3)
    let file = try SoundFontWriter.bytes(of: document)
    _ = try SoundFontTables(file)
    written += 1
  }

  /// Lengths, loops and rates that lie, and bytes of the stream.
  private func falsify(_ bytes: inout [UInt8], _ seed: Seed, _ random: inout SplitMix) {
    let (stream, header) = (seed.stream, seed.header)
    let telling: [UInt64] = [
      0, 1, 3000, 40_000, 4_000_000, 0x7FFF_FF00, 0x7FFF_FFF0, 0x7FFF_FFFF, 0x8000_0000,
      0xFFFF_FFFF, 1 << 40, .max, UInt64.random(in: 0 ... .max, using: &random),
    ]
    let write = { (place: Int, count: Int, bytes: inout [UInt8], random: inout SplitMix) in
      let value = telling.randomElement(using: &random) ?? 0
      for index in 0..<count where place + index < bytes.count {
        bytes[place + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
      }
    }
    if Bool.random(using: &random),
      let page = stream.last(where: { bytes[$0...].starts(with: "OggS".utf8) })
    {
      write(page + 6, 8, &bytes, &random)
    }
    for field in [28, 32, 36] where Bool.random(using: &random) {
      write(header + field, 4, &bytes, &random)
    }
    if Int.random(in: 0..<4, using: &random) == 0 {
      for field in [20, 24] { write(header + field, 4, &bytes, &random) }
    }
    if Int.random(in: 0..<8, using: &random) == 0 { bytes[header + 44] ^= 0x10 }
    if Bool.random(using: &random) {
      bytes[header + 40] = UInt8.random(in: 0...255, using: &random)
      bytes[header + 41] = UInt8.random(in: 0...255, using: &random)
    }
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let near = stream.prefix(Bool.random(using: &random) ? 64 : stream.count)
      bytes[Int.random(in: near, using: &random)] = UInt8.random(in: 0...255, using: &random)
    }
    // Checksums that match, so that damage gets beyond them.
    if Bool.random(using: &random) {
      var pages = Array(bytes[stream])
      OggPages.seal(&pages)
      bytes.replaceSubrange(stream, with: pages)
    }
  }
}
