// SPDX-License-Identifier: Apache-2.0

/// The first packet of an MP3 file, which contains no sound.
///
/// It states the number of packets and the frames that are padding.
///
/// Sources: Xing's header, LAME's "Mp3 Info Tag rev 1", as their programs write them.
struct InfoPacket {
  /// The bytes of the packet.
  private(set) var bytes: [UInt8]

  /// Creates the packet; nil if the packets of the sound are too small for its tag.
  ///
  /// - Parameters:
  ///   - header: The header of a packet of the sound, four bytes.
  ///   - sizes: The bytes of each packet.
  ///   - priming: Frames before the sound, for a decoder that returns all frames of a packet.
  ///   - remainder: Frames after the sound.
  ///   - sum: The sum of all bytes of the packets (`CyclicSum`).
  init?(header: [UInt8], sizes: [Int], priming: Int, remainder: Int, sum: UInt16) {
    guard let head = MPEGAudioHeader.bytes(like: header, roomFor: Self.tagByteCount),
      let parsed = MPEGAudioHeader(head[...])
    else { return nil }
    bytes = head + Array(repeating: 0, count: parsed.packetByteCount - head.count)
    let count = sizes.reduce(bytes.count, +)
    let isConstant = (sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1
    var place = parsed.tagOffset
    func put(_ new: [UInt8]) {
      bytes.replaceSubrange(place..<place + new.count, with: new)
      place += new.count
    }
    put(Array((isConstant ? "Info" : "Xing").utf8))
    put(Self.number(0xF, 4) + Self.number(sizes.count, 4) + Self.number(count, 4))
    put(Self.contents(sizes))
    put(Self.number(0, 4))
    put(Array("Lavc58.13".utf8))
    put(Array(repeating: 0, count: 12))
    let before = min(4095, max(0, priming - MP3Tag.decoderDelay))
    let behind = min(4095, remainder + MP3Tag.decoderDelay)
    put(Self.number(before << 12 | behind, 3))
    put(Self.number(0, 4) + Self.number(count, 4) + Self.number(Int(sum), 2))
    var own = CyclicSum()
    own.add(bytes[..<place])
    put(Self.number(Int(own.value), 2))
  }

  /// The bytes required after the header and the side information.
  private static let tagByteCount = 156

  /// The table of contents: the position of each hundredth of the sound, in 256ths of the bytes.
  private static func contents(_ sizes: [Int]) -> [UInt8] {
    let all = max(1, sizes.reduce(0, +))
    var (contents, before, packet) = ([UInt8](), 0, 0)
    for part in 0..<100 {
      while packet < part * sizes.count / 100 {
        before += sizes[packet]
        packet += 1
      }
      contents.append(UInt8(min(255, before * 256 / all)))
    }
    return contents
  }

  private static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
  }
}

/// The checksum in LAME's tag: CRC-16 with the polynomial 0x8005, bits reversed.
struct CyclicSum {
  private(set) var value: UInt16 = 0

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      value ^= UInt16(byte)
      for _ in 0..<8 { value = value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xA001 }
    }
  }
}
