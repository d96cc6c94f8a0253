// SPDX-License-Identifier: Apache-2.0

extension PCMLayout {
  /// The number of bits of integers, 16 for μ-law and A-law; nil for floating point.
  var integerBits: Int? {
    switch numbers {
    case .signed, .unsigned: bits
    case .muLaw, .aLaw: 16
    case .floating: nil
    }
  }

  /// Converts samples; an incomplete sample at the end is ignored.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the samples.
  ///   - target: The memory for the results.
  ///   - stride: The distance between results.
  /// - Complexity: O(n) in the number of bytes.
  func convert<Sample: AudioSample>(
    _ bytes: UnsafeRawBufferPointer, to target: UnsafeMutablePointer<Sample>, stride: Int = 1
  ) {
    let count = bytes.count / max(1, byteCount)
    switch numbers {
    case .signed: unsafe integers(bytes, count, target, stride, flipping: 0)
    // Inverting the highest bit changes the middle to 0.
    case .unsigned: unsafe integers(bytes, count, target, stride, flipping: 1 << 31)
    case .floating where byteCount == 4:
      unsafe Self.fill(target, stride, count) {
        unsafe Double(Float(bitPattern: word32(bytes, 4 * $0)))
      }
    case .floating where byteCount == 8:
      unsafe Self.fill(target, stride, count) { index in
        let word = unsafe bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self)
        return Double(
          bitPattern: isLittleEndian ? UInt64(littleEndian: word) : UInt64(bigEndian: word))
      }
    case .floating:
      unsafe Self.fill(target, stride, count) {
        unsafe Double(bitPattern: word(bytes, byteCount * $0))
      }
    case .muLaw:
      let values = Self.muLawValues
      unsafe Self.fill(target, stride, count) { unsafe values[Int(bytes[$0])] }
    case .aLaw:
      let values = Self.aLawValues
      unsafe Self.fill(target, stride, count) { unsafe values[Int(bytes[$0])] }
    }
  }

  @inline(__always)
  private static func fill<Sample: AudioSample>(
    _ target: UnsafeMutablePointer<Sample>, _ stride: Int, _ count: Int, _ value: (Int) -> Double
  ) {
    // The loop without a factor is vectorized.
    if stride == 1 {
      for index in 0..<count { unsafe target[index] = .nearest(to: value(index)) }
    } else {
      for index in 0..<count { unsafe target[index * stride] = .nearest(to: value(index)) }
    }
  }

  private func integers<Sample: AudioSample>(
    _ bytes: UnsafeRawBufferPointer, _ count: Int, _ target: UnsafeMutablePointer<Sample>,
    _ stride: Int, flipping mask: UInt32
  ) {
    let step = 0x1p-31
    switch byteCount {
    case 1:
      unsafe Self.fill(target, stride, count) {
        unsafe Double(Int32(bitPattern: UInt32(bytes[$0]) << 24 ^ mask)) * step
      }
    case 2:
      unsafe Self.fill(target, stride, count) { index in
        let word = unsafe bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)
        let ordered = isLittleEndian ? UInt16(littleEndian: word) : UInt16(bigEndian: word)
        return Double(Int32(bitPattern: UInt32(ordered) << 16 ^ mask)) * step
      }
    case 3:
      let (low, high) = isLittleEndian ? (0, 2) : (2, 0)
      unsafe Self.fill(target, stride, count) { index in
        let (first, middle, last) = unsafe (
          bytes[3 * index + low], bytes[3 * index + 1], bytes[3 * index + high]
        )
        let word = UInt32(first) << 8 | UInt32(middle) << 16 | UInt32(last) << 24
        return Double(Int32(bitPattern: word ^ mask)) * step
      }
    case 4:
      unsafe Self.fill(target, stride, count) {
        unsafe Double(Int32(bitPattern: word32(bytes, 4 * $0) ^ mask)) * step
      }
    default:
      let mask = UInt64(mask) << 32
      unsafe Self.fill(target, stride, count) {
        unsafe Double(Int64(bitPattern: word(bytes, byteCount * $0) ^ mask)) * 0x1p-63
      }
    }
  }

  private func word32(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt32 {
    let word = unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
    return isLittleEndian ? UInt32(littleEndian: word) : UInt32(bigEndian: word)
  }

  /// A sample of any size in the highest bits of a word.
  private func word(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt64 {
    var word: UInt64 = 0
    for index in 0..<byteCount {
      let byte = unsafe bytes[isLittleEndian ? place + byteCount - 1 - index : place + index]
      word |= UInt64(byte) << UInt64(56 - 8 * index)
    }
    return word
  }

  /// Source: ITU-T G.711, tables 2a and 2b, as integers of 16 bits.
  private static let muLawValues: [Double] = (0..<256).map { code in
    let bits = ~code & 0xFF
    let size = ((bits & 15) << 3 + 0x84) << (bits >> 4 & 7) - 0x84
    return Double(bits & 0x80 == 0 ? size : -size) / 32_768
  }

  /// Source: ITU-T G.711, tables 1a and 1b, as integers of 16 bits.
  private static let aLawValues: [Double] = (0..<256).map { code in
    let bits = code ^ 0x55
    let (segment, step) = (bits >> 4 & 7, (bits & 15) << 4)
    let size = segment == 0 ? step + 8 : (step + 0x108) << (segment - 1)
    return Double(bits & 0x80 == 0 ? -size : size) / 32_768
  }
}
