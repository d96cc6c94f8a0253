// SPDX-License-Identifier: Apache-2.0

/// The samples of an MP4 track, which for a sound track are the packets.
///
/// Source: ISO/IEC 14496-12, 8.6.1.2 (`stts`), 8.7.3 (`stsz`, `stz2`), 8.7.4 (`stsc`), 8.7.5
/// (`stco`, `co64`).
struct MP4Samples {
  /// The positions and frames of the samples.
  private(set) var table: PacketTable
  /// The number of samples after the end of the file.
  private(set) var missingCount = 0

  /// More than a day of any supported codec.
  private static let countLimit = 1 << 22
  /// The maximum number of packets of equal size, which are not listed one by one in the index: 14
  /// hours of MP3, 48 MiB in memory.
  private static let uniformLimit = 1 << 21

  /// Reads a sample table; nil if a part is missing or the parts contradict each other.
  ///
  /// - Parameters:
  ///   - table: The box `stbl`.
  ///   - hertz: The units of its times per second.
  ///   - length: The bytes of the file.
  init?(_ table: MP4Box, hertz: Int, length: Int64) {
    self.table = PacketTable(hertz: hertz)
    guard let (sizes, beyond) = Self.sizes(table, length: length),
      sizes.count <= Self.countLimit,
      let offsets = Self.offsets(table),
      let runs = table.child("stsc")?.content, let times = table.child("stts")?.content,
      var chunks = ChunkRuns(runs), var durations = DurationRuns(times)
    else { return nil }
    var packets: [PacketTable.Packet] = []
    packets.reserveCapacity(sizes.count)
    var (place, frame) = (0, Int64(0))
    for (chunk, start) in offsets.enumerated() where place < sizes.count {
      var offset = start
      for _ in 0..<chunks.count(ofChunk: chunk + 1) {
        guard place < sizes.count, let duration = durations.next() else { break }
        let size = Int(sizes[place])
        place += 1
        guard offset <= length - Int64(size) else {
          missingCount += 1
          continue
        }
        packets.append(
          PacketTable.Packet(
            offset: offset, byteCount: size, firstFrame: frame, frameCount: duration))
        frame += Int64(duration)
        offset += Int64(size)
      }
    }
    missingCount += beyond
    self.table.packets = packets
  }

  /// Returns true if a table states more packets of equal size than the file has bytes.
  ///
  /// FFmpeg allocates 48 bytes for each packet that is stated, even if it does not exist.
  static func namesTooMany(_ table: MP4Box, length: Int64) -> Bool {
    guard let box = table.child("stsz")?.content, let size = box.number(4, 4), size > 0,
      let count = box.number(8, 4)
    else { return false }
    return count > length / Int64(size)
  }

  /// The sizes of the packets that the file can contain, and the number of packets stated beyond
  /// these.
  private static func sizes(
    _ table: MP4Box, length: Int64
  ) -> (sizes: [UInt32], beyond: Int)? {
    if let box = table.child("stsz")?.content {
      guard let size = box.number(4, 4), let count = box.number(8, 4) else { return nil }
      guard size > 0 else {
        return count <= countLimit ? box.words(12, count).map { ($0, 0) } : nil
      }
      let held = min(count, Int(clamping: length / Int64(size)))
      guard held <= uniformLimit else { return nil }
      return (Array(repeating: UInt32(size), count: held), count - held)
    }
    guard let box = table.child("stz2")?.content, let bits = box.number(7, 1),
      let count = box.number(8, 4), bits == 8 || bits == 16, count <= countLimit,
      count <= (box.count - 12) * 8 / bits
    else { return nil }
    let sizes = (0..<count).map { UInt32(box.number(12 + bits / 8 * $0, bits / 8) ?? 0) }
    return (sizes, 0)
  }

  private static func offsets(_ table: MP4Box) -> [Int64]? {
    if let box = table.child("stco")?.content {
      guard let count = box.number(4, 4), count <= countLimit else { return nil }
      return box.words(8, count)?.map(Int64.init)
    }
    guard let box = table.child("co64")?.content, let count = box.number(4, 4), count <= countLimit,
      let words = box.words(8, 2 * count)
    else { return nil }
    let offsets = (0..<count).map { (chunk: Int) -> Int64 in
      Int64(words[2 * chunk]) << 32 | Int64(words[2 * chunk + 1])
    }
    return offsets.allSatisfy { (0..<1 << 50).contains($0) } ? offsets : nil
  }

  /// The number of samples in each chunk.
  private struct ChunkRuns {
    /// For each run the first chunk, the samples in each chunk, and a number that is not used here.
    private let runs: [UInt32]
    private var place = 0

    init?(_ bytes: ArraySlice<UInt8>) {
      guard let count = bytes.number(4, 4), let runs = bytes.words(8, 3 * count) else { return nil }
      self.runs = runs
    }

    mutating func count(ofChunk chunk: Int) -> Int {
      while place + 3 < runs.count, runs[place + 3] <= chunk { place += 3 }
      return place < runs.count ? Int(runs[place + 1]) : 0
    }
  }

  /// The duration of each sample.
  private struct DurationRuns {
    /// For each run the number of samples and the duration of each.
    private let runs: [UInt32]
    private var place = 0
    private var left: UInt32 = 0
    private var duration = 0

    init?(_ bytes: ArraySlice<UInt8>) {
      guard let count = bytes.number(4, 4), let runs = bytes.words(8, 2 * count) else { return nil }
      self.runs = runs
    }

    mutating func next() -> Int? {
      while left == 0 {
        guard place < runs.count else { return nil }
        (left, duration) = (runs[place], Int(runs[place + 1]))
        place += 2
      }
      left -= 1
      return duration < 1 << 24 ? duration : nil
    }
  }
}
