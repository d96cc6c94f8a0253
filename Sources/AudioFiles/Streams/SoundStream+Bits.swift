// SPDX-License-Identifier: Apache-2.0

extension SoundStream.Properties {
  /// The bits of a sample if all samples are integers, 1…32; nil for floating point, more bits, and
  /// lossy codecs. μ-law and A-law have 16.
  public var integerBits: Int? {
    let bits =
      switch layers[0].codec {
      case .flac: FLACStreamBlock(magicCookie[...])?.bits
      // Behind the head of the box, its version and the frames of a packet.
      case .alac: magicCookie.count > 17 ? Int(magicCookie[17]) : nil
      default: samples?.integerBits
      }
    return bits.flatMap { (1...32).contains($0) ? $0 : nil }
  }
}
