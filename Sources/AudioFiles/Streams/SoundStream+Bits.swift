// SPDX-License-Identifier: Apache-2.0

extension SoundStream.Properties {
  /// The number of bits of a sample, 1…32, if all samples are integers; otherwise nil.
  ///
  /// The value is 16 for μ-law and A-law, and nil for lossy codecs.
  public var integerBits: Int? {
    let bits =
      switch statedLayers[0].codec {
      case .flac: FLACStreamBlock(magicCookie[...])?.bits
      // After the header of the box, its version, and the frames of a packet.
      case .alac: magicCookie.count > 17 ? Int(magicCookie[17]) : nil
      default: samples?.integerBits
      }
    return bits.flatMap { (1...32).contains($0) ? $0 : nil }
  }
}
