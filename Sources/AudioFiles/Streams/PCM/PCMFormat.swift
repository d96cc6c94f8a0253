// SPDX-License-Identifier: Apache-2.0

/// The format of the samples in a container, as its header describes it.
struct PCMFormat: Hashable, Sendable {
  let layout: PCMLayout
  /// Samples in a frame, 1…1024.
  let channelCount: Int
  /// Frames per second.
  let hertz: Int

  private init?(_ layout: PCMLayout?, _ channelCount: Int, _ hertz: Int) {
    guard let layout, (1...1024).contains(channelCount), (1...1 << 24).contains(hertz) else {
      return nil
    }
    (self.layout, self.channelCount, self.hertz) = (layout, channelCount, hertz)
  }

  /// The number of bytes of a frame.
  var frameByteCount: Int { layout.byteCount * channelCount }

  /// The number of frames of a packet: a power of two that lasts about 20 ms, at most 64 KiB.
  var framesPerPacket: Int {
    var frames = 64
    while frames * 2 <= hertz / 40, frames < 4096 { frames *= 2 }
    while frames > 1, frames * frameByteCount > 1 << 16 { frames /= 2 }
    return frames
  }

  /// The codec.
  var codec: SoundCodec {
    switch layout.numbers {
    case .muLaw: .muLaw
    case .aLaw: .aLaw
    case .signed, .unsigned, .floating: .linearPCM
    }
  }

  private static func integers(
    bits: Int, byteCount: Int, isLittleEndian: Bool, isUnsigned: Bool = false, mask: UInt64 = 0
  ) -> PCMLayout? {
    guard (1...4).contains(byteCount), (1...8 * byteCount).contains(bits) else { return nil }
    return PCMLayout(
      numbers: isUnsigned ? .unsigned : .signed, bits: bits, byteCount: byteCount,
      isLittleEndian: isLittleEndian, channelMask: mask)
  }

  private static func floats(
    byteCount: Int, isLittleEndian: Bool, mask: UInt64 = 0
  ) -> PCMLayout? {
    guard byteCount == 4 || byteCount == 8 else { return nil }
    return PCMLayout(
      numbers: .floating, bits: 8 * byteCount, byteCount: byteCount,
      isLittleEndian: isLittleEndian, channelMask: mask)
  }

  private static func logarithmic(_ numbers: PCMLayout.Numbers, mask: UInt64 = 0) -> PCMLayout {
    PCMLayout(numbers: numbers, bits: 8, byteCount: 1, isLittleEndian: false, channelMask: mask)
  }
}

extension PCMFormat {
  /// Reads the chunk `fmt ` of WAVE and Wave64; nil if the samples are compressed.
  ///
  /// Source: Microsoft, WAVEFORMATEX and WAVEFORMATEXTENSIBLE.
  init?(wave chunk: ArraySlice<UInt8>, isLittleEndian: Bool) {
    func number(_ place: Int, _ count: Int) -> Int? {
      chunk.number(place, count, isLittleEndian: isLittleEndian)
    }
    guard var tag = number(0, 2), let channels = number(2, 2), channels > 0,
      let hertz = number(4, 4), let frameBytes = number(12, 2), let bits = number(14, 2)
    else { return nil }
    var mask: UInt64 = 0
    if tag == 0xFFFE {
      guard let loudspeakers = number(20, 4), let subformat = number(24, 4) else { return nil }
      (tag, mask) = (subformat, UInt64(loudspeakers))
    }
    let known = frameBytes % channels == 0 ? frameBytes / channels : 0
    let bytes = known >= (bits + 7) / 8 && known > 0 ? known : (bits + 7) / 8
    let layout: PCMLayout? =
      switch tag {
      case 1:
        Self.integers(
          bits: bits, byteCount: bytes, isLittleEndian: isLittleEndian, isUnsigned: bytes == 1,
          mask: mask)
      case 3: Self.floats(byteCount: bytes, isLittleEndian: isLittleEndian, mask: mask)
      case 6: Self.logarithmic(.aLaw, mask: mask)
      case 7: Self.logarithmic(.muLaw, mask: mask)
      default: nil
      }
    self.init(layout, channels, hertz)
  }

  /// Reads the chunk `COMM` of AIFF and AIFF-C; nil if the samples are compressed.
  ///
  /// Source: Apple, AIFF-C 1.0, section "The Extended Common Chunk".
  init?(aiff chunk: ArraySlice<UInt8>) {
    guard let channels = chunk.number(0, 2), let bits = chunk.number(6, 2),
      let hertz = Self.extended(chunk.dropFirst(8))
    else { return nil }
    let kind = chunk.count >= 22 ? MP4Box.latin(chunk.dropFirst(18).prefix(4)) : "NONE"
    let bytes = (bits + 7) / 8
    let layout: PCMLayout? =
      switch kind {
      case "NONE", "twos", "in24", "in32":
        Self.integers(bits: bits, byteCount: bytes, isLittleEndian: false)
      case "sowt", "42ni", "23ni":
        Self.integers(bits: bits, byteCount: bytes, isLittleEndian: true)
      case "raw ": Self.integers(bits: 8, byteCount: 1, isLittleEndian: false, isUnsigned: true)
      case "fl32", "FL32": Self.floats(byteCount: 4, isLittleEndian: false)
      case "fl64", "FL64": Self.floats(byteCount: 8, isLittleEndian: false)
      case "ulaw", "ULAW": Self.logarithmic(.muLaw)
      case "alaw", "ALAW": Self.logarithmic(.aLaw)
      default: nil
      }
    self.init(layout, channels, hertz)
  }

  /// A positive 80-bit floating-point number, rounded to an integer of at most 31 bits.
  private static func extended(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let exponent = bytes.number(0, 2), bytes.count >= 10 else { return nil }
    let mantissa = bytes.dropFirst(2).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let shift = 16_383 + 63 - exponent
    guard (33..<64).contains(shift) else { return nil }
    return Int(mantissa >> UInt64(shift)) + Int(mantissa >> UInt64(shift - 1) & 1)
  }

  /// Reads the header of AU after its size; nil if the samples are compressed.
  init?(au header: ArraySlice<UInt8>, isLittleEndian: Bool) {
    func number(_ place: Int) -> Int? {
      header.number(place, 4, isLittleEndian: isLittleEndian)
    }
    guard let kind = number(0), let hertz = number(4), let channels = number(8) else { return nil }
    let layout: PCMLayout? =
      switch kind {
      case 1: Self.logarithmic(.muLaw)
      case 2...5:
        Self.integers(
          bits: 8 * (kind - 1), byteCount: kind - 1, isLittleEndian: isLittleEndian)
      case 6: Self.floats(byteCount: 4, isLittleEndian: isLittleEndian)
      case 7: Self.floats(byteCount: 8, isLittleEndian: isLittleEndian)
      case 27: Self.logarithmic(.aLaw)
      default: nil
      }
    self.init(layout, channels, hertz)
  }

  /// Reads the chunk `desc` of CAF; nil if the samples are compressed.
  init?(caf chunk: ArraySlice<UInt8>) {
    guard chunk.count >= 32, let flags = chunk.number(12, 4), let packet = chunk.number(16, 4),
      chunk.number(20, 4) == 1, let channels = chunk.number(24, 4), channels > 0,
      let bits = chunk.number(28, 4)
    else { return nil }
    let rate = Double(
      bitPattern: chunk.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    guard (1...Double(1 << 24)).contains(rate), packet % channels == 0 else { return nil }
    let (bytes, isLittle) = (packet / channels, flags & 2 != 0)
    let layout: PCMLayout? =
      switch MP4Box.latin(chunk.dropFirst(8).prefix(4)) {
      case "lpcm" where flags & 1 != 0: Self.floats(byteCount: bytes, isLittleEndian: isLittle)
      case "lpcm": Self.integers(bits: bits, byteCount: bytes, isLittleEndian: isLittle)
      case "ulaw" where bytes == 1: Self.logarithmic(.muLaw)
      case "alaw" where bytes == 1: Self.logarithmic(.aLaw)
      default: nil
      }
    self.init(layout, channels, Int(rate.rounded()))
  }
}

extension ArraySlice<UInt8> {
  /// A number of up to 8 bytes in either byte order; nil if it exceeds the slice or `Int`.
  func number(_ place: Int, _ count: Int, isLittleEndian: Bool) -> Int? {
    guard isLittleEndian else { return number(place, count) }
    guard place >= 0, place <= self.count - count else { return nil }
    return Int(exactly: little(place, count))
  }
}
