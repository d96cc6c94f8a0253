// SPDX-License-Identifier: Apache-2.0

/// The header of a new file, with the sizes for a file without samples.
///
/// Sources: Microsoft, WAVEFORMATEX and WAVEFORMATEXTENSIBLE; EBU Tech 3306 (RF64); Sony Wave64;
/// Apple, AIFF-C 1.0 and Core Audio Format Specification 1.0; Sun, the AU format.
struct SampleFileHead {
  let container: SampleContainer
  let layout: PCMLayout
  let channelCount: Int
  let hertz: Int

  private var frameByteCount: Int { layout.byteCount * channelCount }

  /// The bytes; `SampleFileSizes` finds the sizes in them.
  var bytes: [UInt8] {
    switch container {
    case .wave:
      return Self.text("RIFF") + Little.bytes(0, 4) + Self.text("WAVE") + chunk("fmt ", format)
        + fact + Self.text("data") + Little.bytes(0, 4)
    case .rf64:
      let unknown = [UInt8](repeating: 0xFF, count: 4)
      return Self.text("RF64") + unknown + Self.text("WAVE")
        + chunk("ds64", [UInt8](repeating: 0, count: 28)) + chunk("fmt ", format) + fact
        + Self.text("data") + unknown
    case .wave64: return wave64
    case .aiff: return aiff("AIFF", version: [])
    case .aifc: return aiff("AIFC", version: bigChunk("FVER", BigEndian.bytes(0xA280_5140, 4)))
    case .au:
      return Self.text(".snd")
        + [28, 0, auKind, hertz, channelCount, 0].flatMap { BigEndian.bytes($0, 4) }
    case .caf: return caf
    }
  }

  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Self.text(name) + Little.bytes(content.count, 4) + content
  }

  private func bigChunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Self.text(name) + BigEndian.bytes(content.count, 4) + content
  }
}

extension SampleFileHead {
  private var waveTag: Int {
    switch layout.numbers {
    case .signed, .unsigned: 1
    case .floating: 3
    case .aLaw: 6
    case .muLaw: 7
    }
  }

  /// The number of frames, which samples other than integers need.
  private var fact: [UInt8] { waveTag == 1 ? [] : chunk("fact", Little.bytes(0, 4)) }

  private var format: [UInt8] {
    // Readers of Wave64 support the extended format for integers only.
    let isExtended =
      (channelCount > 2 || layout.channelMask != 0) && (container != .wave64 || waveTag == 1)
    let second = min(hertz * frameByteCount, Int(UInt32.max))
    let bits = 8 * layout.byteCount
    let plain =
      Little.bytes(isExtended ? 0xFFFE : waveTag, 2) + Little.bytes(channelCount, 2)
      + Little.bytes(hertz, 4) + Little.bytes(second, 4) + Little.bytes(frameByteCount, 2)
      + Little.bytes(bits, 2)
    guard isExtended else { return waveTag == 1 ? plain : plain + [0, 0] }
    return plain + Little.bytes(22, 2) + Little.bytes(layout.bits, 2)
      + Little.bytes(Int(UInt32(truncatingIfNeeded: layout.channelMask)), 4)
      + Little.bytes(waveTag, 4)
      + [0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
  }

  private var wave64: [UInt8] {
    let rest: [UInt8] = [0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A]
    let riff: [UInt8] = [0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0, 0]
    let pad = [UInt8](repeating: 0, count: (8 - format.count % 8) % 8)
    return Self.text("riff") + riff + Little.bytes(0, 8) + Self.text("wave") + rest
      + Self.text("fmt ") + rest + Little.bytes(24 + format.count, 8) + format + pad
      + Self.text("data") + rest + Little.bytes(24, 8)
  }

  private func aiff(_ form: String, version: [UInt8]) -> [UInt8] {
    let common =
      BigEndian.bytes(channelCount, 2) + BigEndian.bytes(0, 4)
      + BigEndian.bytes(8 * layout.byteCount, 2) + Self.extended(hertz)
      + (form == "AIFC" ? Self.text(aifcKind) + [0, 0] : [])
    let layout = layout.channelMask == 0 ? [] : bigChunk("CHAN", channelBitmap)
    return Self.text("FORM") + BigEndian.bytes(0, 4) + Self.text(form) + version
      + bigChunk("COMM", common) + layout + bigChunk("SSND", [UInt8](repeating: 0, count: 8))
  }

  private var aifcKind: String {
    switch layout.numbers {
    case .muLaw: "ulaw"
    case .aLaw: "alaw"
    case .floating: layout.byteCount == 4 ? "fl32" : "fl64"
    case .unsigned: "raw "
    case .signed: layout.isLittleEndian && layout.byteCount == 2 ? "sowt" : "NONE"
    }
  }

  /// A positive integer as a floating-point number of 80 bits.
  private static func extended(_ value: Int) -> [UInt8] {
    let shift = value.leadingZeroBitCount
    return BigEndian.bytes(16_383 + 63 - shift, 2)
      + BigEndian.bytes(Int(truncatingIfNeeded: UInt64(value) << UInt64(shift)), 8)
  }

  private var auKind: Int {
    switch layout.numbers {
    case .muLaw: 1
    case .aLaw: 27
    case .floating: layout.byteCount == 4 ? 6 : 7
    case .signed, .unsigned: layout.byteCount + 1
    }
  }

  private var caf: [UInt8] {
    let codec: SoundCodec =
      switch layout.numbers {
      case .muLaw: .muLaw
      case .aLaw: .aLaw
      case .signed, .unsigned, .floating: .linearPCM
      }
    var description = CAFDescription(
      hertz: Double(hertz), codec: codec, channelCount: channelCount)
    let isLittle = layout.isLittleEndian && codec == .linearPCM
    description.flags = (layout.numbers == .floating ? 1 : 0) | (isLittle ? 2 : 0)
    (description.bytesPerPacket, description.framesPerPacket) = (frameByteCount, 1)
    description.bitsPerChannel = layout.bits
    let layout =
      layout.channelMask == 0 ? [] : CAFDescribingChunks.chunk("chan", channelBitmap)
    return Self.text("caff") + [0, 1, 0, 0] + CAFDescribingChunks.chunk("desc", description.bytes)
      + layout + Self.text("data") + BigEndian.bytes(4, 8) + BigEndian.bytes(0, 4)
  }

  /// The loudspeakers as bits, which are the same as in a WAVE file's mask.
  private var channelBitmap: [UInt8] {
    BigEndian.bytes(1 << 16, 4)
      + BigEndian.bytes(Int(UInt32(truncatingIfNeeded: layout.channelMask)), 4)
      + BigEndian.bytes(0, 4)
  }
}

/// Numbers as little-endian bytes.
enum Little {
  /// The lowest bytes of a number, 1…8.
  static func bytes(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
