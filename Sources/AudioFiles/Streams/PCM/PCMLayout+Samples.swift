// SPDX-License-Identifier: Apache-2.0

extension PCMLayout {
  /// The values of whole samples, full scale at ±1.
  ///
  /// - Complexity: O(n) in the number of bytes.
  func samples(_ bytes: ArraySlice<UInt8>) -> [Double] {
    switch numbers {
    case .signed: integers(bytes, flipping: 0)
    // The middle becomes 0 if the highest bit is inverted.
    case .unsigned: integers(bytes, flipping: 1 << 63)
    case .floating where byteCount == 4:
      words(bytes).map { Double(Float(bitPattern: UInt32(truncatingIfNeeded: $0 >> 32))) }
    case .floating: words(bytes).map { Double(bitPattern: $0) }
    case .muLaw: bytes.map { Self.muLawValues[Int($0)] }
    case .aLaw: bytes.map { Self.aLawValues[Int($0)] }
    }
  }

  private func integers(_ bytes: ArraySlice<UInt8>, flipping mask: UInt64) -> [Double] {
    words(bytes).map { Double(Int64(bitPattern: $0 ^ mask)) * 0x1p-63 }
  }

  /// Each sample in the highest bits of a word.
  private func words(_ bytes: ArraySlice<UInt8>) -> [UInt64] {
    let step = max(1, byteCount)
    return stride(from: bytes.startIndex, to: bytes.endIndex - step + 1, by: step).map { place in
      var word: UInt64 = 0
      for index in 0..<step {
        let byte = bytes[isLittleEndian ? place + step - 1 - index : place + index]
        word |= UInt64(byte) << UInt64(56 - 8 * index)
      }
      return word
    }
  }

  /// Source: ITU-T G.711, tables 2a and 2b, as integers of 16 bits.
  static let muLawValues: [Double] = (0..<256).map { code in
    let bits = ~code & 0xFF
    let size = ((bits & 15) << 3 + 0x84) << (bits >> 4 & 7) - 0x84
    return Double(bits & 0x80 == 0 ? size : -size) / 32_768
  }

  /// Source: ITU-T G.711, tables 1a and 1b, as integers of 16 bits.
  static let aLawValues: [Double] = (0..<256).map { code in
    let bits = code ^ 0x55
    let (segment, step) = (bits >> 4 & 7, (bits & 15) << 4)
    let size = segment == 0 ? step + 8 : (step + 0x108) << (segment - 1)
    return Double(bits & 0x80 == 0 ? -size : size) / 32_768
  }
}
