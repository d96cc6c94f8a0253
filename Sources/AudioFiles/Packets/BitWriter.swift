// SPDX-License-Identifier: Apache-2.0

/// Collects bits into bytes, the most significant bit first.
struct BitWriter {
  /// The bytes; the last one is padded with zeros.
  private(set) var bytes: [UInt8] = []
  private var count = 0

  /// Adds the lowest bits of a number.
  mutating func write(_ value: Int, _ bits: Int) {
    for bit in stride(from: bits - 1, through: 0, by: -1) {
      if count % 8 == 0 { bytes.append(0) }
      bytes[count / 8] |= UInt8(value >> bit & 1) << UInt8(7 - count % 8)
      count += 1
    }
  }
}
