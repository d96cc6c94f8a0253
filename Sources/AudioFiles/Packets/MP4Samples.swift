// SPDX-License-Identifier: Apache-2.0

/// The samples of an MP4 track, which are the packets of a sound track.
///
/// Source: ISO/IEC 14496-12, 8.6.1.2 (`stts`), 8.7.3 (`stsz`, `stz2`), 8.7.4 (`stsc`), 8.7.5
/// (`stco`, `co64`).
struct MP4Samples {
  struct Sample {
    let offset: Int64
    let byteCount: Int
    let duration: Int
  }

  private(set) var all: [Sample] = []
  /// Samples that the file does not reach.
  private(set) var missingCount = 0

  /// More than a day of any codec that is read here.
  private static let countLimit = 1 << 22

  /// Reads a sample table; nil where a part of it is missing or contradicts the others.
  init?(_ table: MP4Box, length: Int64) {
    guard let sizes = Self.sizes(table, length: length), sizes.count <= Self.countLimit,
      let offsets = Self.offsets(table),
      let runs = table.child("stsc")?.content, let times = table.child("stts")?.content,
      var chunks = ChunkRuns(runs), var durations = DurationRuns(times)
    else { return nil }
    all.reserveCapacity(sizes.count)
    var place = 0
    for (chunk, start) in offsets.enumerated() where place < sizes.count {
      var offset = start
      for _ in 0..<chunks.count(ofChunk: chunk + 1) {
        guard place < sizes.count, let duration = durations.next() else { break }
        let size = sizes[place]
        place += 1
        guard offset <= length - Int64(size) else {
          missingCount += 1
          continue
        }
        all.append(Sample(offset: offset, byteCount: size, duration: duration))
        offset += Int64(size)
      }
    }
  }

  /// The sizes; not more than the file has bytes for, or entries.
  private static func sizes(_ table: MP4Box, length: Int64) -> [Int]? {
    if let box = table.child("stsz")?.content {
      guard let size = box.number(4, 4), let count = box.number(8, 4) else { return nil }
      if size > 0 {
        guard count <= min(countLimit, Int(clamping: length / Int64(size))) else { return nil }
        return Array(repeating: size, count: count)
      }
      guard count <= (box.count - 12) / 4 else { return nil }
      return (0..<count).map { box.number(12 + 4 * $0, 4) ?? 0 }
    }
    guard let box = table.child("stz2")?.content, let bits = box.number(7, 1),
      let count = box.number(8, 4), bits == 8 || bits == 16, count <= (box.count - 12) * 8 / bits
    else { return nil }
    return (0..<count).map { box.number(12 + bits / 8 * $0, bits / 8) ?? 0 }
  }

  private static func offsets(_ table: MP4Box) -> [Int64]? {
    let (box, width) =
      table.child("stco").map { ($0.content, 4) } ?? (table.child("co64")?.content ?? [], 8)
    guard let count = box.number(4, 4), count <= (box.count - 8) / width else { return nil }
    let offsets = (0..<count).map { Int64(box.number(8 + width * $0, width) ?? 0) }
    return offsets.allSatisfy { $0 < 1 << 50 } ? offsets : nil
  }

  /// How many samples each chunk has.
  private struct ChunkRuns {
    private let runs: ArraySlice<UInt8>
    private let runCount: Int
    private var place = 0

    init?(_ bytes: ArraySlice<UInt8>) {
      guard let count = bytes.number(4, 4), count <= (bytes.count - 8) / 12 else { return nil }
      (runs, runCount) = (bytes, count)
    }

    private func word(_ run: Int, _ word: Int) -> Int {
      runs.number(8 + 12 * run + 4 * word, 4) ?? 0
    }

    mutating func count(ofChunk chunk: Int) -> Int {
      while place + 1 < runCount, word(place + 1, 0) <= chunk { place += 1 }
      return place < runCount ? word(place, 1) : 0
    }
  }

  /// How long each sample is.
  private struct DurationRuns {
    private let runs: ArraySlice<UInt8>
    private let runCount: Int
    private var place = 0
    private var left = 0
    private var duration = 0

    init?(_ bytes: ArraySlice<UInt8>) {
      guard let count = bytes.number(4, 4), count <= (bytes.count - 8) / 8 else { return nil }
      (runs, runCount) = (bytes, count)
    }

    mutating func next() -> Int? {
      while left == 0 {
        guard place < runCount else { return nil }
        left = runs.number(8 + 8 * place, 4) ?? 0
        duration = runs.number(12 + 8 * place, 4) ?? 0
        place += 1
      }
      left -= 1
      return duration < 1 << 24 ? duration : nil
    }
  }
}
