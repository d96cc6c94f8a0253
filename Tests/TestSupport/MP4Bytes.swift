// SPDX-License-Identifier: Apache-2.0

/// M4A files with any numbers in their boxes, created by hand so that they can be invalid.
///
/// The packets are before the index, unless `hasIndexFirst` is set.
public struct MP4Bytes {
  /// A part of an edit list.
  public struct Edit: Sendable {
    /// Length in units of the movie.
    public var length: UInt64
    /// First decoded frame, in units of the track; −1 is an empty part.
    public var start: Int64

    /// Creates a part that plays at normal speed.
    public init(length: UInt64, start: Int64 = 0) {
      (self.length, self.start) = (length, start)
    }
  }

  /// AudioSpecificConfig; AAC-LC in stereo at 44.1 kHz by default.
  public var cookie: [UInt8] = [0x12, 0x10]
  /// The packets.
  public var packets: [[UInt8]]
  /// Time units per second of the movie.
  public var movieUnits: UInt32 = 44_100
  /// Time units per second of the track.
  public var mediaUnits: UInt32 = 44_100
  /// Duration of the track in its units; 32 bits are written unless it is larger.
  public var mediaDuration: UInt64 = 0
  /// Parts of the edit list; empty for no list.
  public var edits: [Edit] = []
  /// Version of the edit list: 0 has 32 bits, 1 has 64.
  public var editVersion: UInt8 = 1
  /// Number of parts that the edit list states; nil for the actual number.
  public var claimedEditCount: UInt32?
  /// Size of every packet; 0 writes a table of sizes.
  public var packetSize: UInt32 = 0
  /// Number of packets that the table of sizes states; nil for the actual number.
  public var claimedPacketCount: UInt32?
  /// Runs of packets of the same duration; empty for 1024 units each.
  public var durations: [(count: UInt32, units: UInt32)] = []
  /// Packets in each chunk; nil for one chunk.
  public var packetsPerChunk: UInt32?
  /// Offset of each chunk; empty for the actual offset of the packets.
  public var offsets: [UInt64] = []
  /// Number of descriptions; with 2, only FFmpeg reads the file.
  public var descriptionCount = 1
  /// Times and titles of chapters, in units of 100 ns.
  public var chapters: [(time: UInt64, title: String)] = []

  /// True to put the index before the packets.
  public var hasIndexFirst = false

  /// Creates a file of packets.
  public init(packets: [[UInt8]]) { self.packets = packets }

  /// The file.
  public var bytes: [UInt8] {
    let type = Self.box("ftyp", Array("M4A ".utf8) + Self.word(0, 4) + Array("M4A mp42isom".utf8))
    let media = Self.box("mdat", packets.flatMap { $0 })
    guard hasIndexFirst else { return type + media + index(offset: type.count + 8) }
    // Offsets have eight bytes, so the size of the index does not depend on them.
    return type + index(offset: type.count + index(offset: 0).count + 8) + media
  }

  func index(offset: Int) -> [UInt8] {
    Self.box("moov", header + track(offset: UInt64(offset)) + user)
  }

  private var header: [UInt8] {
    Self.box("mvhd", Self.zeros(12) + Self.word(movieUnits, 4) + Self.zeros(84))
  }

  private var user: [UInt8] {
    guard !chapters.isEmpty else { return [] }
    let list = chapters.flatMap { chapter in
      Self.word(chapter.time, 8) + [UInt8(clamping: chapter.title.utf8.count)]
        + Array(chapter.title.utf8.prefix(255))
    }
    let count = [UInt8(clamping: chapters.count)]
    return Self.box("udta", Self.box("chpl", [1, 0, 0, 0] + Self.zeros(4) + count + list))
  }

  private func track(offset: UInt64) -> [UInt8] {
    let head = Self.box(
      "tkhd", [0, 0, 0, 7] + Self.zeros(8) + Self.word(1 as UInt32, 4) + Self.zeros(68))
    return Self.box("trak", head + editList + Self.box("mdia", mediaHeader + table(offset)))
  }

  private var editList: [UInt8] {
    guard !edits.isEmpty else { return [] }
    let width = editVersion == 1 ? 8 : 4
    let parts = edits.flatMap {
      Self.word($0.length, width) + Self.word(UInt64(bitPattern: $0.start), width)
        + Self.word(0x10000 as UInt32, 4)
    }
    let count = claimedEditCount ?? UInt32(edits.count)
    return Self.box(
      "edts", Self.box("elst", [editVersion, 0, 0, 0] + Self.word(count, 4) + parts))
  }

  private var mediaHeader: [UInt8] {
    let isLong = mediaDuration > UInt64(UInt32.max)
    let times =
      isLong
      ? [1, 0, 0, 0] + Self.zeros(16) + Self.word(mediaUnits, 4) + Self.word(mediaDuration, 8)
      : Self.zeros(12) + Self.word(mediaUnits, 4) + Self.word(mediaDuration, 4)
    let handler = Self.zeros(8) + Array("soun".utf8) + Self.zeros(13)
    return Self.box("mdhd", times + Self.zeros(4)) + Self.box("hdlr", handler)
  }

  private func table(_ offset: UInt64) -> [UInt8] {
    let count = UInt32(packets.count)
    let plain: [(count: UInt32, units: UInt32)] = [(count, 1024)]
    let times = durations.isEmpty ? plain : durations
    let sizes = packetSize > 0 ? [] : packets.flatMap { Self.word(UInt32($0.count), 4) }
    let chunks = offsets.isEmpty ? [offset] : offsets
    let descriptions = Array(repeating: description, count: descriptionCount).flatMap { $0 }
    let boxes =
      Self.box("stsd", Self.zeros(4) + Self.word(UInt32(descriptionCount), 4) + descriptions)
      + Self.box("stts", Self.list(times.map { Self.word($0.count, 4) + Self.word($0.units, 4) }))
      + Self.box(
        "stsc",
        Self.list([
          Self.word(1 as UInt32, 4) + Self.word(packetsPerChunk ?? count, 4)
            + Self.word(1 as UInt32, 4)
        ]))
      + Self.box(
        "stsz",
        Self.zeros(4) + Self.word(packetSize, 4) + Self.word(claimedPacketCount ?? count, 4)
          + sizes)
      + Self.box("co64", Self.list(chunks.map { Self.word($0, 8) }))
    return Self.box("minf", Self.box("smhd", Self.zeros(8)) + Self.box("stbl", boxes))
  }

  private var description: [UInt8] {
    let decoder =
      [0x40, 0x15] + Self.zeros(11) + [5, UInt8(clamping: cookie.count)] + cookie.prefix(100)
    let stream = [0, 1, 0, 4, UInt8(decoder.count)] + decoder + [6, 1, 2]
    let entry =
      Self.zeros(7) + [1] + Self.zeros(8) + [0, 2, 0, 16] + Self.zeros(4) + [0xAC, 0x44, 0, 0]
    return Self.box(
      "mp4a", entry + Self.box("esds", Self.zeros(4) + [3, UInt8(stream.count)] + stream))
  }

  private static func list(_ entries: [[UInt8]]) -> [UInt8] {
    zeros(4) + word(UInt32(entries.count), 4) + entries.flatMap { $0 }
  }

  private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    word(UInt32(content.count + 8), 4) + Array(name.utf8) + content
  }

  private static func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }

  private static func word(_ value: some FixedWidthInteger, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * (size - 1 - $0))) }
  }
}
