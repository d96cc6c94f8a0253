// SPDX-License-Identifier: Apache-2.0

/// Fragmented MP4 with any numbers in its boxes, created by hand.
public struct MP4FragmentBytes {
  /// A track fragment.
  public struct Fragment: Sendable {
    /// The number of the track.
    public var track: UInt32 = 1
    /// The flags of the header; with 0x020000, offsets are relative to the fragment.
    public var flags: UInt32 = 0x02_0000
    /// The position of the data if the flags contain 1.
    public var base: UInt64 = 0
    /// The defaults if the flags contain 8 and 16.
    public var duration: UInt32 = 1024
    /// See `duration`.
    public var byteCount: UInt32 = 6
    /// The time of the first sample; nil for none.
    public var time: UInt64? = 0
    /// The flags of the run; 0x200 states each size.
    public var runFlags: UInt32 = 0x201
    /// The offset of the data; nil for that of the packets.
    public var dataOffset: UInt32?
    /// The number of samples that the run states; nil for the number of packets.
    public var claimedCount: UInt32?
    /// The packets.
    public var packets: [[UInt8]]

    /// Creates a fragment of packets.
    public init(packets: [[UInt8]]) { self.packets = packets }
  }

  /// The AudioSpecificConfig; AAC-LC in stereo at 44.1 kHz by default.
  public var cookie: [UInt8] = [0x12, 0x10]
  /// The fragments, each in one box.
  public var fragments: [Fragment] = []
  /// The defaults of the track: duration and size.
  public var defaults: (duration: UInt32, byteCount: UInt32) = (1024, 0)
  /// The references of an index of segments, with their sizes and durations; empty for no index.
  public var references: [(byteCount: UInt32, duration: UInt32)] = []
  /// The number of references that the index states; nil for the actual number.
  public var claimedReferenceCount: UInt16?
  /// Bytes between the fragments.
  public var between: [UInt8] = []

  /// Creates a stream without fragments.
  public init() {}

  /// The stream.
  public var bytes: [UInt8] {
    let type = Self.box("ftyp", Array("iso5".utf8) + Self.word(0 as UInt32, 4))
    var bytes = type + movie + segmentIndex
    for fragment in fragments { bytes += between + self.bytes(of: fragment) }
    return bytes
  }

  /// The index without packets.
  public var movie: [UInt8] {
    var file = MP4Bytes(packets: [])
    file.cookie = cookie
    let index = file.index(offset: 0).dropFirst(8)
    var content = Self.zeros(4) + Self.word(1 as UInt32, 4) + Self.word(1 as UInt32, 4)
    content += Self.word(defaults.duration, 4) + Self.word(defaults.byteCount, 4)
    let extends = Self.box("trex", content + Self.zeros(4))
    return Self.box("moov", Array(index) + Self.box("mvex", extends))
  }

  private var segmentIndex: [UInt8] {
    guard !references.isEmpty else { return [] }
    var content = Self.zeros(4) + Self.word(1 as UInt32, 4) + Self.word(44_100 as UInt32, 4)
    content += Self.zeros(10)
    content += Self.word(claimedReferenceCount ?? UInt16(clamping: references.count), 2)
    for reference in references {
      content += Self.word(reference.byteCount, 4) + Self.word(reference.duration, 4)
      content += [0x90, 0, 0, 0]
    }
    return Self.box("sidx", content)
  }

  private func bytes(of fragment: Fragment) -> [UInt8] {
    let size = header(of: fragment, dataOffset: 0).count
    let offset = fragment.dataOffset ?? UInt32(size + 8)
    return header(of: fragment, dataOffset: offset)
      + Self.box("mdat", fragment.packets.flatMap { $0 })
  }

  private func header(of fragment: Fragment, dataOffset: UInt32) -> [UInt8] {
    var head = Self.word(fragment.flags, 4) + Self.word(fragment.track, 4)
    if fragment.flags & 1 != 0 { head += Self.word(fragment.base, 8) }
    if fragment.flags & 8 != 0 { head += Self.word(fragment.duration, 4) }
    if fragment.flags & 16 != 0 { head += Self.word(fragment.byteCount, 4) }
    let time = fragment.time.map { Self.box("tfdt", [1, 0, 0, 0] + Self.word($0, 8)) } ?? []
    var run = Self.word(fragment.runFlags, 4)
    run += Self.word(fragment.claimedCount ?? UInt32(fragment.packets.count), 4)
    if fragment.runFlags & 1 != 0 { run += Self.word(dataOffset, 4) }
    for packet in fragment.packets {
      if fragment.runFlags & 0x100 != 0 { run += Self.word(fragment.duration, 4) }
      if fragment.runFlags & 0x200 != 0 { run += Self.word(UInt32(packet.count), 4) }
    }
    let track = Self.box("tfhd", head) + time + Self.box("trun", run)
    return Self.box(
      "moof", Self.box("mfhd", Self.zeros(8)) + Self.box("traf", track))
  }
}

extension MP4FragmentBytes {
  /// A box with its content.
  public static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    word(UInt32(content.count + 8), 4) + Array(name.utf8) + content
  }

  private static func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }

  private static func word(_ value: some FixedWidthInteger, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * (size - 1 - $0))) }
  }
}
