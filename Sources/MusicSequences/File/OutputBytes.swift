// SPDX-License-Identifier: Apache-2.0

/// Bytes being written: numbers high byte first, names and variable-length quantities.
struct OutputBytes {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ byte: UInt8) {
    bytes.append(byte)
  }

  mutating func append(contentsOf other: some Collection<UInt8>) {
    bytes.append(contentsOf: other)
  }

  mutating func append(_ name: StaticString) {
    for index in 0..<name.utf8CodeUnitCount { bytes.append(unsafe name.utf8Start[index]) }
  }

  mutating func append(word: UInt16) {
    bytes.append(UInt8(word >> 8))
    bytes.append(UInt8(truncatingIfNeeded: word))
  }

  mutating func append(long: UInt32) {
    append(word: UInt16(long >> 16))
    append(word: UInt16(truncatingIfNeeded: long))
  }

  mutating func put(long: UInt32, at offset: Int) {
    for index in 0..<4 {
      bytes[offset + index] = UInt8(truncatingIfNeeded: long >> UInt32(24 - 8 * index))
    }
  }

  /// Appends a variable-length quantity of at most 28 bits.
  mutating func append(quantity: UInt32) {
    if quantity >= 1 << 21 { bytes.append(UInt8(truncatingIfNeeded: quantity >> 21) | 0x80) }
    if quantity >= 1 << 14 { bytes.append(UInt8(truncatingIfNeeded: quantity >> 14) | 0x80) }
    if quantity >= 1 << 7 { bytes.append(UInt8(truncatingIfNeeded: quantity >> 7) | 0x80) }
    bytes.append(UInt8(quantity & 0x7F))
  }
}
