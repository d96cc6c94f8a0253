// SPDX-License-Identifier: Apache-2.0

/// Converts magic cookies between Core Audio Format files and this module.
///
/// In a file, AAC has an elementary stream descriptor, and ALAC its configuration without a box. In
/// this module AAC has the AudioSpecificConfig alone, and ALAC the box.
///
/// Sources: Apple, Core Audio Format Specification 1.0, "Magic Cookie Chunk"; Apple Lossless
/// Format, "ALAC Magic Cookie Description"; ISO/IEC 14496-1, 7.2.6.
enum CAFCookie {
  /// The cookie for a decoder.
  ///
  /// - Parameters:
  ///   - content: The content of the chunk `kuki`, empty if the file does not have it.
  ///   - description: The description of the sound.
  /// - Returns: The cookie in this module's form; empty for none.
  static func decoderCookie(
    _ content: ArraySlice<UInt8>, _ description: CAFDescription
  ) -> [UInt8] {
    switch description.codec {
    case .alac: alac(content)
    case .aac, .aacHE, .aacHEv2: aac(content, description)
    case .opus: content.starts(with: Array("OpusHead".utf8)) ? Array(content) : []
    case .ac3, .enhancedAC3, .mp1, .mp2, .mp3: []
    default: Array(content)
    }
  }

  private static func alac(_ content: ArraySlice<UInt8>) -> [UInt8] {
    // In older files it is in the boxes `frma` and `alac`.
    let boxes = MP4Box.all(in: content)
    if let box = boxes.first(where: { $0.name == "alac" }) {
      return MP4Box.bytes("alac", Array(box.content))
    }
    return content.isEmpty ? [] : MP4Box.bytes("alac", [0, 0, 0, 0] + content)
  }

  private static func aac(_ content: ArraySlice<UInt8>, _ description: CAFDescription) -> [UInt8] {
    // In some files the version and flags of the box `esds` precede it.
    for bytes in [content, content.dropFirst(4)] {
      if let (_, cookie) = MP4SoundEntry.decoder(bytes), AudioSpecificConfig(cookie) != nil {
        return cookie
      }
    }
    if AudioSpecificConfig(Array(content)) != nil { return Array(content) }
    let isExtended = description.codec != .aac
    let config = AudioSpecificConfig(
      hertz: Int(description.hertz) / (isExtended ? 2 : 1),
      channelCount: description.codec == .aacHEv2 ? 1 : description.channelCount)
    return config.bytes(for: description.codec) ?? []
  }

  /// The content of the chunk `kuki` for a decoder's cookie; empty for none.
  static func content(_ cookie: [UInt8], _ codec: SoundCodec) -> [UInt8] {
    switch codec {
    case .alac: Array(cookie.dropFirst(12))
    case .aac, .aacHE, .aacHEv2: streamDescriptor(cookie)
    default: cookie
    }
  }

  /// The elementary stream descriptor of AAC, without sizes and bitrates.
  private static func streamDescriptor(_ config: [UInt8]) -> [UInt8] {
    let zeros = [UInt8](repeating: 0, count: 11)
    let decoder = descriptor(4, [0x40, 0x15] + zeros + descriptor(5, config))
    return descriptor(3, [0, 0, 0] + decoder + descriptor(6, [2]))
  }

  private static func descriptor(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let size = content.count
    let bytes = [21, 14, 7].map { UInt8(0x80 | size >> $0 & 0x7F) } + [UInt8(size & 0x7F)]
    return [tag] + bytes + content
  }
}

/// Reads the length of an ALAC packet.
///
/// Source: Apple, ALAC reference, element headers of a frame.
enum ALACPacket {
  /// The number of bytes that are read.
  static let headByteCount = 8

  /// The number of frames that a packet states, which only incomplete packets do; nil for a
  /// complete packet.
  static func statedFrameCount(_ head: [UInt8]) -> Int? {
    var bits = BitReader(head.prefix(headByteCount))
    // A single channel, a pair, or the low-frequency channel; other elements follow these.
    guard let tag = bits.read(3), [0, 1, 3].contains(tag), bits.skip(16) != nil,
      let isStated = bits.flag(), isStated, bits.skip(3) != nil
    else { return nil }
    return bits.read(32)
  }
}
