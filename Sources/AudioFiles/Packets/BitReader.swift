// SPDX-License-Identifier: Apache-2.0

/// Reads bits of a few bytes, the highest of each first.
struct BitReader {
  private let bytes: [UInt8]
  /// The bits that were read.
  private(set) var place = 0

  init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  /// The bits that are left.
  var left: Int { bytes.count * 8 - place }

  /// The next bits as a number, at most 32; nil where fewer are left.
  mutating func read(_ count: Int) -> Int? {
    guard count <= left else { return nil }
    var value = 0
    for _ in 0..<count {
      value = value << 1 | Int(bytes[place >> 3] >> UInt8(7 - place & 7) & 1)
      place += 1
    }
    return value
  }

  /// Whether the next bit is set; nil at the end.
  mutating func flag() -> Bool? { read(1).map { $0 == 1 } }

  /// Leaves out bits; returns nil where fewer are left.
  mutating func skip(_ count: Int) -> Void? {
    guard count <= left else { return nil }
    place += count
    return ()
  }

  /// Goes to the beginning of the next byte.
  mutating func align() { place = (place + 7) / 8 * 8 }
}
