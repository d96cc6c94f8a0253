// SPDX-License-Identifier: Apache-2.0

/// The packets of a Core Audio Format file: from its packet table, or all of one size.
///
/// Source: Apple, Core Audio Format Specification 1.0, "Packet Table Chunk".
struct CAFPacketTable {
  /// The packets that the file contains.
  private(set) var table: PacketTable
  /// The number of packets that are listed but are after the end of the file.
  private(set) var missingCount = 0
  /// True if the file states which frames are not sound.
  private(set) var isGapless = false

  /// The most packets, 100 MB in memory: more than a day of most codecs.
  private static let countLimit = 1 << 22
  private static let headByteCount = 24

  /// Lists the packets.
  ///
  /// The result is nil if sizes or frame counts differ and the packet table is missing, if a packet
  /// has fewer bytes than any codec's, or if there are more than four million packets.
  ///
  /// - Parameters:
  ///   - description: The description of the sound.
  ///   - content: The content of the chunk `pakt`, empty if the file does not have it.
  ///   - sound: The position of the first packet in the file, and the bytes of all.
  ///   - statedByteCount: The bytes of all packets as the file states them.
  init?(
    _ description: CAFDescription, _ content: ArraySlice<UInt8>,
    sound: (offset: Int64, byteCount: Int64), statedByteCount: Int64?
  ) {
    table = PacketTable(hertz: Int(description.hertz.rounded()))
    let isUniform = description.bytesPerPacket > 0 && description.framesPerPacket > 0
    let isListed =
      isUniform
      ? listUniform(description, sound, statedByteCount) : list(description, content, sound)
    guard isListed else { return nil }
    applyLength(content)
  }

  private mutating func listUniform(
    _ description: CAFDescription, _ sound: (offset: Int64, byteCount: Int64),
    _ statedByteCount: Int64?
  ) -> Bool {
    let (bytes, frames) = (description.bytesPerPacket, description.framesPerPacket)
    let count = sound.byteCount / Int64(bytes)
    guard bytes >= 8, count <= Self.countLimit, frames < 1 << 24 else { return false }
    table.packets = (0..<count).map {
      PacketTable.Packet(
        offset: sound.offset + $0 * Int64(bytes), byteCount: bytes,
        firstFrame: $0 * Int64(frames), frameCount: frames)
    }
    let stated = (statedByteCount ?? sound.byteCount) / Int64(bytes)
    missingCount = Int(clamping: max(0, stated - count))
    return true
  }

  private mutating func list(
    _ description: CAFDescription, _ content: ArraySlice<UInt8>,
    _ sound: (offset: Int64, byteCount: Int64)
  ) -> Bool {
    guard let stated = content.signed(0, 8), stated >= 0 else { return false }
    var entries = Entries(content.dropFirst(Self.headByteCount), description)
    let end = sound.offset + sound.byteCount
    var (offset, frame, packets) = (sound.offset, Int64(0), [PacketTable.Packet]())
    // No entry is shorter than a byte.
    packets.reserveCapacity(min(stated, content.count, Self.countLimit))
    for number in 0..<stated {
      guard let entry = entries.next() else { break }
      guard number < Self.countLimit else { return false }
      guard entry.byteCount <= end - offset, missingCount == 0 else {
        missingCount += 1
        continue
      }
      packets.append(
        PacketTable.Packet(
          offset: offset, byteCount: Int(entry.byteCount), firstFrame: frame,
          frameCount: Int(entry.frameCount)))
      offset += entry.byteCount
      frame += entry.frameCount
    }
    table.packets = packets
    return true
  }

  /// Removes the frames that are not sound.
  private mutating func applyLength(_ content: ArraySlice<UInt8>) {
    guard let valid = content.signed(8, 8), let priming = content.signed(16, 4),
      let remainder = content.signed(20, 4), priming >= 0, remainder >= 0, valid >= 0
    else { return }
    isGapless = true
    // If packets are missing at the end, the remainder does not follow from the stated length.
    let isKnown = valid > 0 && missingCount == 0
    table.apply(
      GaplessLength(
        priming: priming, remainder: missingCount == 0 ? remainder : 0,
        frameCount: isKnown ? valid : nil))
  }

  /// Sets the frames of the last packet, if they are fewer than the others'.
  mutating func shortenLast(to frameCount: Int, _ content: ArraySlice<UInt8>) {
    guard missingCount == 0, let last = table.packets.last, frameCount > 0,
      frameCount < last.frameCount
    else { return }
    table.packets[table.packets.count - 1] = PacketTable.Packet(
      offset: last.offset, byteCount: last.byteCount, firstFrame: last.firstFrame,
      frameCount: frameCount)
    applyLength(content)
  }

  /// The entries of a table: big-endian numbers with seven bits per byte.
  private struct Entries {
    private let bytes: ArraySlice<UInt8>
    private let (byteCount, frameCount): (Int64, Int64)
    private var place: Int

    init(_ bytes: ArraySlice<UInt8>, _ description: CAFDescription) {
      (self.bytes, place) = (bytes, bytes.startIndex)
      byteCount = Int64(description.bytesPerPacket)
      frameCount = Int64(description.framesPerPacket)
    }

    /// Reads an entry; nil after the last, or if a number is too large for a packet.
    mutating func next() -> (byteCount: Int64, frameCount: Int64)? {
      guard let bytes = byteCount > 0 ? byteCount : number(),
        let frames = frameCount > 0 ? frameCount : number(),
        (1..<1 << 31).contains(bytes), (0..<1 << 24).contains(frames)
      else { return nil }
      return (bytes, frames)
    }

    private mutating func number() -> Int64? {
      var value: Int64 = 0
      for _ in 0..<5 {
        guard place < bytes.endIndex else { return nil }
        let byte = bytes[place]
        place += 1
        value = value << 7 | Int64(byte & 0x7F)
        if byte & 0x80 == 0 { return value }
      }
      return nil
    }
  }

  /// The entry of a number, 0…2³⁵ − 1.
  static func entry(_ value: Int) -> [UInt8] {
    var (bytes, rest) = ([UInt8(value & 0x7F)], value >> 7)
    while rest > 0 {
      bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
      rest >>= 7
    }
    return bytes
  }
}
