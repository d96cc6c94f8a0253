// SPDX-License-Identifier: Apache-2.0

/// Reads numbers and names at offsets of a file.
///
/// Results past the end of the file are nil or false.
struct ByteReader: Sendable {
  let bytes: [UInt8]

  var count: Int { bytes.count }

  /// The 16-bit number at an offset, high byte first.
  func word(at offset: Int) -> UInt16? {
    guard offset >= 0, offset + 2 <= bytes.count else { return nil }
    return UInt16(bytes[offset]) << 8 | UInt16(bytes[offset + 1])
  }

  /// The 32-bit number at an offset, high byte first.
  func long(at offset: Int) -> Int? {
    guard let high = word(at: offset), let low = word(at: offset + 2) else { return nil }
    return Int(high) << 16 | Int(low)
  }

  /// The 16-bit number at an offset, low byte first.
  func littleWord(at offset: Int) -> Int? {
    word(at: offset).map { Int($0.byteSwapped) }
  }

  /// The 32-bit number at an offset, low byte first.
  func littleLong(at offset: Int) -> Int? {
    long(at: offset).map { Int(UInt32($0).byteSwapped) }
  }

  /// True if the bytes at an offset are those of a name.
  func has(_ name: StaticString, at offset: Int) -> Bool {
    guard offset >= 0, offset + name.utf8CodeUnitCount <= bytes.count else { return false }
    for index in 0..<name.utf8CodeUnitCount
    where unsafe bytes[offset + index] != name.utf8Start[index] { return false }
    return true
  }

  /// The offset of the first occurrence of a name at or after an offset.
  func firstOffset(of name: StaticString, from start: Int) -> Int? {
    let last = bytes.count - name.utf8CodeUnitCount
    guard start <= last else { return nil }
    let initial = unsafe name.utf8Start[0]
    for offset in start...last where bytes[offset] == initial && has(name, at: offset) {
      return offset
    }
    return nil
  }
}
