// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import Foundation
import MusicalTime
import SoundFontFiles
import SoundFontVoices
import TestSupport

/// SF3 fonts with damaged streams, false lengths, loops, rates and tunings, judged and played.
struct CompressedFontTarget: FuzzTarget {
  private let seed: [UInt8]
  private let stream: Range<Int>
  private let header: Int
  private var voices: VoiceTarget
  private var judged = 0

  init(_ scene: FuzzScene) throws {
    guard let rate = SampleRate(hertz: 48_000) else { throw FuzzFault(sentence: "no rate") }
    let path = scene.folder.appendingPathComponent("whole.ogg").path
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(path: path), channelCount: 1, rate: rate)
    let samples = (0..<3000).map { Float(sin(Double($0) * .pi / 50)) / 2 }
    try writer.write(samples.span)
    try writer.finish()
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    unsafe unlink(path)
    let font = TinySoundFont.compressed(bytes)
    let start = font.indices.first { font[$0...].starts(with: bytes) } ?? 0
    seed = font
    stream = start..<start + bytes.count
    header = 8 + (font.indices.last { font[$0...].starts(with: "shdr".utf8) } ?? 0)
    voices = VoiceTarget(scene)
  }

  var tally: String { "\(judged) judged, \(voices.tally)" }

  mutating func attack(_ random: inout SplitMix) throws {
    var bytes =
      Int.random(in: 0..<3, using: &random) == 0
      ? FontTarget.mutated(seed, &random) : seed
    if bytes.count == seed.count { falsify(&bytes, &random) }
    do {
      _ = try SoundFontTables(FontBytes(bytes)).findings(in: FontBytes(bytes))
      judged += 1
    } catch {
      try FuzzFault.unless(!"\(error)".isEmpty, "an error without a sentence")
    }
    try voices.attack(bytes, &random)
    let isSanitized = unsafe getenv("ASAN_OPTIONS") != nil
    // What the program takes itself, then 64 MiB and four times the frames of a stream.
    let peak = try PeakMemory.bytes()
    try FuzzFault.unless(peak < 256 << 20 || isSanitized, "\(peak) bytes of memory")
  }

  /// Lengths, loops and rates that lie, and bytes of the stream.
  private func falsify(_ bytes: inout [UInt8], _ random: inout SplitMix) {
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
    if Bool.random(using: &random) {
      bytes[header + 40] = UInt8.random(in: 0...255, using: &random)
      bytes[header + 41] = UInt8.random(in: 0...255, using: &random)
    }
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      bytes[Int.random(in: stream, using: &random)] = UInt8.random(in: 0...255, using: &random)
    }
  }
}
