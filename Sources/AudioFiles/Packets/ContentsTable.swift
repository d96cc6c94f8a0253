// SPDX-License-Identifier: Apache-2.0

/// An MP3 encoder's table of contents: the bytes at which equal parts of the sound begin.
///
/// Between two entries the bytes grow evenly. Both directions use the same straight lines: the
/// packet found at the position of a packet is that packet, unless it has less than two bytes
/// there.
///
/// Sources: Xing's header and Fraunhofer's VBRI, as their programs write them.
struct ContentsTable: Hashable, Sendable {
  /// The start of each part and the end of the last, in bytes from the packet with the table; two
  /// or more, which never decrease.
  private let offsets: [Double]
  /// Packets of a part; above 0.
  private let packetsPerPart: Double

  /// More bytes than any file has.
  private static let byteLimit = 0x1p50

  /// Creates a table; nil if its entries decrease, or count no packets or no bytes.
  private init?(_ offsets: [Double], packetsPerPart: Double) {
    guard offsets.count > 1, packetsPerPart > 0, let last = offsets.last, last > 0,
      last < Self.byteLimit, zip(offsets, offsets.dropFirst()).allSatisfy({ $0 <= $1 })
    else { return nil }
    (self.offsets, self.packetsPerPart) = (offsets, packetsPerPart)
  }

  /// Reads Xing's table.
  ///
  /// - Parameters:
  ///   - hundredths: the start of each hundredth of the sound, in 256ths of the bytes.
  ///   - packetCount: the packets of the sound.
  ///   - byteCount: the bytes from the packet with the table to the end.
  init?(hundredths: [UInt8], packetCount: Int, byteCount: Int) {
    guard !hundredths.isEmpty else { return nil }
    let unit = Double(byteCount) / 256
    self.init(
      Self.spread(hundredths).map { $0 * unit } + [Double(byteCount)],
      packetsPerPart: Double(packetCount) / Double(hundredths.count))
  }

  /// Reads VBRI's table.
  ///
  /// - Parameters:
  ///   - parts: the bytes of each part.
  ///   - packetsPerPart: the packets of each part.
  init?(parts: [Int], packetsPerPart: Int) {
    let offsets = parts.reduce(into: [0.0]) { $0.append($0[$0.count - 1] + Double($1)) }
    self.init(offsets, packetsPerPart: Double(packetsPerPart))
  }

  /// Spreads equal entries evenly over the 256th that they were rounded down to.
  private static func spread(_ entries: [UInt8]) -> [Double] {
    var spread: [Double] = []
    while spread.count < entries.count {
      let entry = entries[spread.count]
      let count = entries[spread.count...].prefix { $0 == entry }.count
      spread += (0..<count).map { Double(entry) + Double($0) / Double(count) }
    }
    return spread
  }

  /// The byte at which a packet begins, from the packet with the table on.
  ///
  /// - Complexity: O(1).
  func offset(ofPacket packet: Int) -> Int64 {
    let position = min(Double(packet) / packetsPerPart, Double(offsets.count - 1))
    let part = min(Int(position), offsets.count - 2)
    let byteCount = offsets[part + 1] - offsets[part]
    return Int64(offsets[part] + byteCount * (position - Double(part)))
  }

  /// The packet that begins nearest to a byte, counted from the packet with the table.
  ///
  /// - Complexity: O(log n) in the number of entries.
  func packet(at offset: Int64) -> Int {
    let offset = min(max(Double(offset), offsets[0]), offsets[offsets.count - 1])
    var (low, high) = (0, offsets.count - 2)
    // The last part that begins at or before the byte.
    while low < high {
      let middle = (low + high + 1) / 2
      if offsets[middle] <= offset { low = middle } else { high = middle - 1 }
    }
    let byteCount = offsets[low + 1] - offsets[low]
    let within = byteCount > 0 ? (offset - offsets[low]) / byteCount : 0
    return Int(((Double(low) + within) * packetsPerPart).rounded())
  }
}
