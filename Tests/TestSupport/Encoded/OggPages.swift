// SPDX-License-Identifier: Apache-2.0

/// Ogg pages, created by hand so that they are independent of the code under test.
package struct OggPages {
  /// A page.
  package struct Page {
    /// The flags, as bits: 1 continued, 2 first, 4 last.
    package var flags: UInt8
    /// The granule position; −1 for none.
    package var granule: Int64
    package var serial: UInt32
    package var number: UInt32
    package var lacing: [UInt8]
    package var body: [UInt8]

    package init(
      flags: UInt8 = 0, granule: Int64, serial: UInt32 = 1, number: UInt32, lacing: [UInt8],
      body: [UInt8]
    ) {
      (self.flags, self.granule, self.serial) = (flags, granule, serial)
      (self.number, self.lacing, self.body) = (number, lacing, body)
    }

    /// Creates a page of complete packets.
    package init(
      flags: UInt8 = 0, granule: Int64, serial: UInt32 = 1, number: UInt32, packets: [[UInt8]]
    ) {
      self.init(
        flags: flags, granule: granule, serial: serial, number: number,
        lacing: packets.flatMap(OggPages.lacing), body: packets.flatMap { $0 })
    }

    /// The bytes of the page, with its checksum.
    package var bytes: [UInt8] {
      var bytes = Array("OggS".utf8) + [0, flags]
      bytes += OggPages.little(UInt64(bitPattern: granule), 8)
      bytes += OggPages.little(UInt64(serial), 4) + OggPages.little(UInt64(number), 4)
      bytes += [0, 0, 0, 0, UInt8(lacing.count)] + lacing + body
      bytes.replaceSubrange(22..<26, with: OggPages.little(UInt64(OggPages.checksum(bytes)), 4))
      return bytes
    }
  }

  /// Reads the pages of a file; nil if it does not consist of Ogg pages.
  package static func pages(_ bytes: [UInt8]) -> [Page]? {
    var pages: [Page] = []
    var place = 0
    while place < bytes.count {
      guard bytes.count >= place + 27, bytes[place..<place + 4].elementsEqual("OggS".utf8) else {
        return nil
      }
      func number(_ start: Int, _ count: Int) -> UInt64 {
        bytes[place + start..<place + start + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
      }
      let start = place + 27 + Int(bytes[place + 26])
      guard start <= bytes.count else { return nil }
      let lacing = Array(bytes[place + 27..<start])
      let end = start + lacing.reduce(0) { $0 + Int($1) }
      guard end <= bytes.count else { return nil }
      pages.append(
        Page(
          flags: bytes[place + 5], granule: Int64(bitPattern: number(6, 8)),
          serial: UInt32(number(14, 4)), number: UInt32(number(18, 4)), lacing: lacing,
          body: Array(bytes[start..<end])))
      place = end
    }
    return pages
  }

  /// The segments of a packet.
  package static func lacing(_ packet: [UInt8]) -> [UInt8] {
    Array(repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
  }

  /// Vorbis comments, without a codec's signature.
  package static func comments(_ texts: [String], vendor: String = "by hand") -> [UInt8] {
    var bytes = little(UInt64(vendor.utf8.count), 4) + Array(vendor.utf8)
    bytes += little(UInt64(texts.count), 4)
    for text in texts { bytes += little(UInt64(text.utf8.count), 4) + Array(text.utf8) }
    return bytes
  }

  /// Creates an identification header of Opus.
  ///
  /// - Parameters:
  ///   - channels: The number of channels.
  ///   - preSkip: The frames at 48 kHz before the sound.
  ///   - gain: The gain in 1/256 dB.
  ///   - rate: The rate of the sound before it was encoded.
  /// - Returns: The packet.
  package static func opusHead(
    channels: UInt8 = 2, preSkip: Int = 312, gain: Int = 0, rate: Int = 48_000
  ) -> [UInt8] {
    var bytes = Array("OpusHead".utf8) + [1, channels] + little(UInt64(preSkip), 2)
    bytes += little(UInt64(rate), 4)
    return bytes + little(UInt64(UInt16(bitPattern: Int16(gain))), 2) + [0]
  }

  /// An identification header of Vorbis.
  package static func vorbisHead(rate: Int, channels: UInt8 = 1) -> [UInt8] {
    var bytes: [UInt8] = [1] + Array("vorbis".utf8) + [0, 0, 0, 0, channels]
    bytes += little(UInt64(rate), 4) + [UInt8](repeating: 0, count: 12)
    return bytes + [0xB8, 1]
  }

  /// Creates a stream with one packet per page.
  ///
  /// - Parameters:
  ///   - packets: The packets, up to 65,024 bytes each.
  ///   - positions: The position at the end of each page; 0 for missing ones.
  ///   - serial: The serial number of the stream.
  /// - Returns: The bytes.
  package static func stream(
    _ packets: [[UInt8]], positions: [UInt64], serial: UInt32 = 7
  ) -> [UInt8] {
    packets.indices.flatMap { index in
      let flags: UInt8 = index == 0 ? 2 : index == packets.count - 1 ? 4 : 0
      return Page(
        flags: flags, granule: index < positions.count ? Int64(bitPattern: positions[index]) : 0,
        serial: serial,
        number: UInt32(index), packets: [packets[index]]
      ).bytes
    }
  }

  /// Sets the checksum of each page, up to the first incomplete one.
  package static func seal(_ bytes: inout [UInt8]) {
    var start = 0
    while start + 27 <= bytes.count {
      let segments = start + 27 + Int(bytes[start + 26])
      guard segments <= bytes.count else { return }
      let end = segments + bytes[start + 27..<segments].reduce(0) { $0 + Int($1) }
      guard end <= bytes.count else { return }
      bytes.replaceSubrange(start + 22..<start + 26, with: [0, 0, 0, 0])
      let sum = checksum(bytes[start..<end])
      bytes.replaceSubrange(start + 22..<start + 26, with: little(UInt64(sum), 4))
      start = end
    }
  }

  /// A little-endian number.
  package static func little(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
  }

  private static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var sum: UInt32 = 0
    for byte in bytes {
      sum ^= UInt32(byte) << 24
      for _ in 0..<8 { sum = sum >> 31 == 1 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
    }
    return sum
  }
}
