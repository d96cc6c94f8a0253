// SPDX-License-Identifier: Apache-2.0
import MusicSequences
import TestSupport
import Testing

/// Chunks in every form that a file may give the same events.
@Suite struct ChunkFormTests {
  @Test func `whatever the order and the form of its events, a file is written back as it was`()
    throws
  {
    var generator = SplitMix(seed: 1)
    for round in 0..<4_000 {
      let chunks = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
        Chunk(using: &generator).bytes
      }
      let bytes = Self.file(chunks)
      let file = try SMFReader(strict: true).read(bytes)
      try #require(try SMFWriter().write(file) == bytes, "round \(round)")
      let plain = try SMFWriter(usesRunningStatus: false).write(file)
      try #require(plain == bytes, "round \(round)")
    }
  }

  @Test func `an edited track is written in the writer's form, whatever its own was`() throws {
    let track: [UInt8] = [0, 0x90, 60, 1, 10, 0x90, 62, 1, 10, 0xB0, 7, 1, 0, 0x90, 60, 0]
    let bytes = Self.file([track + [0, 0x90, 62, 0, 0, 0xFF, 0x2F, 0]])
    var file = try SMFReader().read(bytes)
    #expect(try SMFWriter().write(file) == bytes)
    file.sequences[0].tracks[0].remove(at: 2)
    let edited: [UInt8] = [0, 0x90, 60, 1, 10, 62, 1, 10, 60, 0, 0, 62, 0, 0, 0xFF, 0x2F, 0]
    #expect(try SMFWriter().write(file) == Self.file([edited]))
  }

  private static func file(_ chunks: [[UInt8]]) -> [UInt8] {
    var bytes: [UInt8] = [0x4D, 0x54, 0x68, 0x64, 0, 0, 0, 6, 0, 1, 0, UInt8(chunks.count), 0, 96]
    for chunk in chunks {
      bytes += [0x4D, 0x54, 0x72, 0x6B, 0, 0, UInt8(chunk.count >> 8), UInt8(chunk.count & 0xFF)]
      bytes += chunk
    }
    return bytes
  }

  /// A random chunk: many events at one tick, in any order, in the form of one of many writers.
  private struct Chunk {
    private(set) var bytes: [UInt8] = []
    private var running: UInt8 = 0
    /// The probabilities, in percent, that a status is omitted and that a number is padded.
    private let omission: Int
    private let padding: Int
    private let kinds: Int

    init(using generator: inout SplitMix) {
      omission = [0, 50, 100, 100][Int.random(in: 0..<4, using: &generator)]
      padding = [0, 0, 0, 3][Int.random(in: 0..<4, using: &generator)]
      kinds = [6, 9, 12][Int.random(in: 0..<3, using: &generator)]
      for _ in 0..<Int.random(in: 0...60, using: &generator) { append(using: &generator) }
      bytes += [0, 0xFF, 0x2F, 0]
    }

    private mutating func append(using generator: inout SplitMix) {
      let delta = [0, 0, 0, 1, 96, 300, 20_000][Int.random(in: 0..<7, using: &generator)]
      bytes += quantity(delta, using: &generator)
      let channel = UInt8.random(in: 0...1, using: &generator)
      let key = UInt8.random(in: 60...62, using: &generator)
      let value = UInt8.random(in: 1...127, using: &generator)
      switch Int.random(in: 0..<kinds, using: &generator) {
      case 0...1: append(0x90 | channel, [key, value], using: &generator)
      case 2...3: append(0x80 | channel, [key, value], using: &generator)
      case 4: append(0x90 | channel, [key, 0], using: &generator)
      case 5: append(0xB0 | channel, [7, value], using: &generator)
      case 6: append(0xC0 | channel, [value], using: &generator)
      case 7: append([0xFF, 0x05], [0x6C, 0x61], using: &generator)
      case 8: append([0xF0], [0x7E, 9, 1, 0xF7], using: &generator)
      case 9: append([0xFF, 0x51], [7, value, 0x20], using: &generator)
      case 10: append([0xFF, 0x7F], [0x7D, 0x64, 0x62, 0x74, channel, value], using: &generator)
      default: append([0xF7], [0xF3, 1], using: &generator)
      }
    }

    private mutating func append(
      _ status: UInt8, _ data: [UInt8], using generator: inout SplitMix
    ) {
      let isOmitted = Int.random(in: 0..<100, using: &generator) < omission
      bytes += status == running && isOmitted ? data : [status] + data
      running = status
    }

    private mutating func append(
      _ status: [UInt8], _ payload: [UInt8], using generator: inout SplitMix
    ) {
      bytes += status + quantity(payload.count, using: &generator) + payload
      running = 0
    }

    private func quantity(_ value: Int, using generator: inout SplitMix) -> [UInt8] {
      let isPadded = Int.random(in: 0..<100, using: &generator) < padding
      let shortest = [21, 14, 7].filter { value >> $0 > 0 }.map { UInt8(value >> $0 & 0x7F | 0x80) }
      let bytes = shortest + [UInt8(value & 0x7F)]
      return isPadded && bytes.count < 4 ? [0x80] + bytes : bytes
    }
  }
}
