// SPDX-License-Identifier: Apache-2.0

/// Joins the parts of a table (PAT or PMT) from the packets of one stream.
///
/// A table with more than 1024 bytes or a wrong checksum is dropped.
///
/// Source: ISO/IEC 13818-1, 2.4.4 and annex A.
struct SectionAssembly: Sendable {
  /// The maximum size of a table in bytes.
  private static let limit = 1024

  /// The table so far; nil before its start.
  private var bytes: [UInt8]?

  /// Drops an incomplete table.
  mutating func reset() { bytes = nil }

  /// Adds the payload of a packet.
  ///
  /// - Returns: The tables that are complete now, each without its checksum.
  mutating func append(_ payload: ArraySlice<UInt8>, isStart: Bool) -> [[UInt8]] {
    guard isStart else { return extend(payload) }
    guard let pointer = payload.first, Int(pointer) < payload.count else {
      reset()
      return []
    }
    let rest = payload.dropFirst()
    let old = extend(rest.prefix(Int(pointer)))
    bytes = []
    return old + extend(rest.dropFirst(Int(pointer)))
  }

  private mutating func extend(_ part: ArraySlice<UInt8>) -> [[UInt8]] {
    guard var whole = bytes else { return [] }
    whole += part
    bytes = nil
    var tables: [[UInt8]] = []
    // The rest of a packet is padded with 0xFF.
    while let first = whole.first, first != 0xFF {
      guard whole.count >= 3 else { break }
      let count = 3 + (Int(whole[1] & 0x0F) << 8 | Int(whole[2]))
      guard count <= Self.limit else { return tables }
      guard whole.count >= count else { break }
      let table = whole.prefix(count)
      if count > 4, Self.checksum(table) == 0 { tables.append(Array(table.dropLast(4))) }
      whole.removeFirst(count)
    }
    if let first = whole.first, first != 0xFF { bytes = whole }
    return tables
  }

  /// The checksum CRC-32/MPEG-2, which is 0 for a table that includes its checksum.
  static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    bytes.reduce(0xFFFF_FFFF) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte) << 24) { value, _ in
        value & 0x8000_0000 != 0 ? value << 1 ^ 0x04C1_1DB7 : value << 1
      }
    }
  }
}
