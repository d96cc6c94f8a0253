// SPDX-License-Identifier: Apache-2.0

extension PCMLayout {
  /// True if samples of the layout can be read from memory and written to it.
  ///
  /// This is the case for integers of 8…32 bits in 1…4 bytes, and for floating point of 4 or 8
  /// bytes.
  package var isConvertible: Bool {
    switch numbers {
    case .floating: byteCount == 4 || byteCount == 8
    case .signed, .unsigned:
      (2...32).contains(bits) && (1...4).contains(byteCount) && bits <= 8 * byteCount
    case .muLaw, .aLaw: byteCount == 1
    }
  }

  /// Converts adjacent samples in memory to floating point.
  ///
  /// - Parameters:
  ///   - source: The samples, with any alignment.
  ///   - count: The number of samples.
  ///   - target: The memory for the results, full scale at ±1.
  ///   - stride: The distance between results.
  /// - Precondition: `isConvertible`.
  package func read(
    _ source: UnsafeRawPointer, count: Int, to target: UnsafeMutablePointer<Double>, stride: Int
  ) {
    unsafe convert(
      UnsafeRawBufferPointer(start: source, count: count * byteCount), to: target, stride: stride)
  }

  /// Converts floating point to adjacent samples in memory.
  ///
  /// Integers are rounded to the nearest (a half to the even one) and clamped.
  ///
  /// - Parameters:
  ///   - source: The values, full scale at ±1.
  ///   - stride: The distance between values.
  ///   - count: The number of samples.
  ///   - target: The memory for the samples, with any alignment.
  /// - Precondition: `isConvertible`.
  package func write(
    _ source: UnsafePointer<Double>, stride: Int, count: Int, to target: UnsafeMutableRawPointer
  ) {
    switch numbers {
    case .floating: unsafe writeFloats(source, stride, count, target)
    case .muLaw:
      for index in 0..<count {
        let code = Self.muLawCode(unsafe source[index * stride])
        unsafe target.storeBytes(of: code, toByteOffset: index, as: UInt8.self)
      }
    case .aLaw:
      for index in 0..<count {
        let code = Self.aLawCode(unsafe source[index * stride])
        unsafe target.storeBytes(of: code, toByteOffset: index, as: UInt8.self)
      }
    case .signed, .unsigned:
      let quantizer = Quantizer(bits: bits)
      let (shift, mask) = (UInt32(32 - bits), numbers == .unsigned ? UInt32(1 << 31) : 0)
      for index in 0..<count {
        let integer = quantizer.integer(unsafe source[index * stride]).integer
        let word = UInt32(bitPattern: integer) << shift ^ mask
        unsafe store(word, at: target + index * byteCount)
      }
    }
  }

  private func writeFloats(
    _ source: UnsafePointer<Double>, _ stride: Int, _ count: Int, _ target: UnsafeMutableRawPointer
  ) {
    if byteCount == 4 {
      for index in 0..<count {
        let word = Float(unsafe source[index * stride]).bitPattern
        let bits = isLittleEndian ? word.littleEndian : word.bigEndian
        unsafe target.storeBytes(of: bits, toByteOffset: 4 * index, as: UInt32.self)
      }
    } else {
      for index in 0..<count {
        let word = unsafe source[index * stride].bitPattern
        let bits = isLittleEndian ? word.littleEndian : word.bigEndian
        unsafe target.storeBytes(of: bits, toByteOffset: 8 * index, as: UInt64.self)
      }
    }
  }

  private func store(_ word: UInt32, at target: UnsafeMutableRawPointer) {
    for index in 0..<byteCount {
      let place = isLittleEndian ? byteCount - 1 - index : index
      let byte = UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * index))
      unsafe target.storeBytes(of: byte, toByteOffset: place, as: UInt8.self)
    }
  }

  /// Source: ITU-T G.711, tables 2a and 2b, as integers of 16 bits.
  private static func muLawCode(_ value: Double) -> UInt8 {
    let sample = Int(Quantizer(bits: 16).integer(value).integer)
    let size = min(abs(sample) >> 2, 8158) + 33
    let segment = max(0, Int.bitWidth - size.leadingZeroBitCount - 6)
    let code = segment << 4 | size >> (segment + 1) & 15
    return ~UInt8(code | (sample < 0 ? 0x80 : 0))
  }

  /// Source: ITU-T G.711, tables 1a and 1b, as integers of 16 bits.
  private static func aLawCode(_ value: Double) -> UInt8 {
    let sample = Int(Quantizer(bits: 16).integer(value).integer)
    let size = (sample < 0 ? -sample - 1 : sample) >> 4
    let segment = max(0, Int.bitWidth - size.leadingZeroBitCount - 4)
    let step = segment == 0 ? size : size >> (segment - 1)
    return UInt8(segment << 4 | step & 15 | (sample < 0 ? 0 : 0x80)) ^ 0x55
  }
}
