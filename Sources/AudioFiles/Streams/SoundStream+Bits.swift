// SPDX-License-Identifier: Apache-2.0

extension SoundStream.Properties {
  /// The bits of a sample, 1…32, if all samples are integers; else nil.
  ///
  /// μ-law and A-law have 16. Lossy codecs do not have integers.
  public var integerBits: Int? {
    let bits =
      switch statedLayers[0].codec {
      case .flac: FLACStreamBlock(magicCookie[...])?.bits
      // Behind the head of the box, its version and the frames of a packet.
      case .alac: magicCookie.count > 17 ? Int(magicCookie[17]) : nil
      default: samples?.integerBits
      }
    return bits.flatMap { (1...32).contains($0) ? $0 : nil }
  }
}
