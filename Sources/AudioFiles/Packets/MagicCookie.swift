// SPDX-License-Identifier: Apache-2.0

/// Converts magic cookies between Core Audio's form and the form of this module.
///
/// Core Audio has AAC's configuration in an elementary stream descriptor, and ALAC's without a box;
/// here AAC has the AudioSpecificConfig alone, and ALAC has the box. Cookies of other codecs are the
/// same in both.
///
/// Sources: Apple, Core Audio Format Specification 1.0, "Magic Cookie Chunk"; Apple Lossless Format,
/// "ALAC Magic Cookie Description"; ISO/IEC 14496-1, 7.2.6.
public enum MagicCookie {
  /// The cookie for a decoder of this module.
  ///
  /// - Parameters:
  ///   - bytes: the cookie in Core Audio's form, with or without the boxes of older files, or
  ///     already in the form of this module; empty for none.
  ///   - layer: the packets that it belongs to.
  /// - Returns: the cookie; empty if the codec has none. AAC without a cookie is described by its
  ///   rate and channels.
  public static func decoderCookie(_ bytes: [UInt8], for layer: SoundLayer) -> [UInt8] {
    var description = CAFDescription(
      hertz: Double(layer.hertz), codec: layer.codec, channelCount: layer.channelCount)
    description.framesPerPacket = layer.framesPerPacket
    return CAFCookie.decoderCookie(bytes[...], description)
  }

  /// The cookie in Core Audio's form.
  ///
  /// - Parameters:
  ///   - cookie: the cookie in the form of this module, such as `PacketReader.magicCookie`.
  ///   - codec: the codec of the packets.
  /// - Returns: the cookie; empty if `cookie` is.
  public static func coreAudioCookie(_ cookie: [UInt8], for codec: SoundCodec) -> [UInt8] {
    cookie.isEmpty ? [] : CAFCookie.content(cookie, codec)
  }

  /// The configuration of AAC in a cookie of either form; nil if it is not one.
  ///
  /// - Parameter bytes: an elementary stream descriptor, with or without the version and flags of
  ///   its box, or an AudioSpecificConfig.
  /// - Returns: the configuration.
  public static func audioSpecificConfig(_ bytes: [UInt8]) -> AudioSpecificConfig? {
    for content in [bytes[...], bytes.dropFirst(4)] {
      if let (_, config) = MP4SoundEntry.decoder(content) { return AudioSpecificConfig(config) }
    }
    return AudioSpecificConfig(bytes)
  }
}
