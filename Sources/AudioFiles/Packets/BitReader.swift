// SPDX-License-Identifier: Apache-2.0

/// Reads bits from bytes, the most significant bit first.
struct BitReader {
  private let bytes: [UInt8]
  /// The number of bits that were read.
  private(set) var place = 0

  init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  /// The number of bits that remain.
  var left: Int { bytes.count * 8 - place }

  /// Reads a number of at most 32 bits; nil if fewer bits remain.
  mutating func read(_ count: Int) -> Int? {
    guard count <= left else { return nil }
    var value = 0
    for _ in 0..<count {
      value = value << 1 | Int(bytes[place >> 3] >> UInt8(7 - place & 7) & 1)
      place += 1
    }
    return value
  }

  /// Reads a bit, and returns true if it is set; nil at the end.
  mutating func flag() -> Bool? { read(1).map { $0 == 1 } }

  /// Skips bits; returns nil if fewer bits remain.
  mutating func skip(_ count: Int) -> Void? {
    guard count <= left else { return nil }
    place += count
    return ()
  }

  /// Skips to the start of the next byte.
  mutating func align() { place = (place + 7) / 8 * 8 }
}
