// SPDX-License-Identifier: Apache-2.0

/// The table of contents of an MP3 file: the byte positions of equal parts of the sound.
///
/// Positions between two entries are interpolated linearly, in both directions by the same lines.
/// The packet found at the position of a packet is therefore that packet, unless it has less than
/// two bytes there.
///
/// Sources: Xing's header and Fraunhofer's VBRI, as their programs write them.
struct ContentsTable: Hashable, Sendable {
  /// The start of each part and the end of the last one, in bytes after the start of the packet
  /// with the table.
  ///
  /// There are at least two, in ascending order.
  private let offsets: [Double]
  /// The number of packets in a part; above 0.
  private let packetsPerPart: Double

  /// More bytes than any file has.
  private static let byteLimit = 0x1p50

  /// Creates a table; nil if its entries decrease, or it is empty.
  private init?(_ offsets: [Double], packetsPerPart: Double) {
    guard offsets.count > 1, packetsPerPart > 0, let last = offsets.last, last > 0,
      last < Self.byteLimit, zip(offsets, offsets.dropFirst()).allSatisfy({ $0 <= $1 })
    else { return nil }
    (self.offsets, self.packetsPerPart) = (offsets, packetsPerPart)
  }

  /// Reads Xing's table; nil if it is invalid.
  ///
  /// - Parameters:
  ///   - hundredths: The start of each hundredth of the sound, in 256ths of the bytes.
  ///   - packetCount: The number of packets of the sound.
  ///   - byteCount: The bytes from the packet with the table to the end.
  init?(hundredths: [UInt8], packetCount: Int, byteCount: Int) {
    guard !hundredths.isEmpty else { return nil }
    let unit = Double(byteCount) / 256
    self.init(
      Self.spread(hundredths).map { $0 * unit } + [Double(byteCount)],
      packetsPerPart: Double(packetCount) / Double(hundredths.count))
  }

  /// Reads VBRI's table; nil if it is invalid.
  ///
  /// - Parameters:
  ///   - parts: The bytes of each part.
  ///   - packetsPerPart: The packets of each part.
  init?(parts: [Int], packetsPerPart: Int) {
    let offsets = parts.reduce(into: [0.0]) { $0.append($0[$0.count - 1] + Double($1)) }
    self.init(offsets, packetsPerPart: Double(packetsPerPart))
  }

  /// Distributes equal entries evenly within the 256th to which they were rounded down.
  private static func spread(_ entries: [UInt8]) -> [Double] {
    var spread: [Double] = []
    while spread.count < entries.count {
      let entry = entries[spread.count]
      let count = entries[spread.count...].prefix { $0 == entry }.count
      spread += (0..<count).map { Double(entry) + Double($0) / Double(count) }
    }
    return spread
  }

  /// The position of a packet, in bytes after the start of the packet with the table.
  ///
  /// - Complexity: O(1).
  func offset(ofPacket packet: Int) -> Int64 {
    let position = min(Double(packet) / packetsPerPart, Double(offsets.count - 1))
    let part = min(Int(position), offsets.count - 2)
    let byteCount = offsets[part + 1] - offsets[part]
    return Int64(offsets[part] + byteCount * (position - Double(part)))
  }

  /// The packet that starts nearest to a position, numbered from the packet with the table.
  ///
  /// - Complexity: O(log n) in the number of entries.
  func packet(at offset: Int64) -> Int {
    let offset = min(max(Double(offset), offsets[0]), offsets[offsets.count - 1])
    var (low, high) = (0, offsets.count - 2)
    // Finds the last part that starts at or before the position.
    while low < high {
      let middle = (low + high + 1) / 2
      if offsets[middle] <= offset { low = middle } else { high = middle - 1 }
    }
    let byteCount = offsets[low + 1] - offsets[low]
    let within = byteCount > 0 ? (offset - offsets[low]) / byteCount : 0
    return Int(((Double(low) + within) * packetsPerPart).rounded())
  }
}
