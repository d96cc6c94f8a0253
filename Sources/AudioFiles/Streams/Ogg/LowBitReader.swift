// SPDX-License-Identifier: Apache-2.0

/// Reads bits from bytes, the least significant bit first, as Vorbis packs them.
///
/// Source: Vorbis I specification, section 2.
struct LowBitReader {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  /// Reads a number of at most 32 bits; nil if fewer bits remain.
  mutating func read(_ count: Int) -> Int? {
    guard count <= bytes.count * 8 - place else { return nil }
    var value = 0
    for bit in 0..<count {
      value |= Int(bytes[place >> 3] >> UInt8(place & 7) & 1) << bit
      place += 1
    }
    return value
  }

  /// Reads a bit, and returns true if it is set; nil at the end.
  mutating func flag() -> Bool? { read(1).map { $0 == 1 } }

  /// Skips bits; returns nil if fewer bits remain.
  mutating func skip(_ count: Int) -> Void? {
    guard count <= bytes.count * 8 - place else { return nil }
    place += count
    return ()
  }
}
