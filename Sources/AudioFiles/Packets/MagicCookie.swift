// SPDX-License-Identifier: Apache-2.0

/// Converts magic cookies between Core Audio's form and the form of this module.
///
/// For AAC, Core Audio stores the configuration in an elementary stream descriptor; this module
/// uses the AudioSpecificConfig alone. For ALAC, Core Audio omits the box of the configuration;
/// this module includes it. Cookies of other codecs are the same in both forms.
///
/// Sources: Apple, Core Audio Format Specification 1.0, "Magic Cookie Chunk"; Apple Lossless
/// Format, "ALAC Magic Cookie Description"; ISO/IEC 14496-1, 7.2.6.
public enum MagicCookie {
  /// Converts a cookie to the form of this module.
  ///
  /// - Parameters:
  ///   - bytes: The cookie in Core Audio's form, with or without the boxes of older files, or in
  ///     the form of this module; empty if the file does not have one.
  ///   - layer: The codec and format of the packets.
  /// - Returns: The cookie; empty if the codec does not use one. For AAC without a cookie, one is
  ///   created from the rate and channels.
  public static func decoderCookie(_ bytes: [UInt8], for layer: SoundLayer) -> [UInt8] {
    var description = CAFDescription(
      hertz: Double(layer.hertz), codec: layer.codec, channelCount: layer.channelCount)
    description.framesPerPacket = layer.framesPerPacket
    return CAFCookie.decoderCookie(bytes[...], description)
  }

  /// Converts a cookie to the form that Core Audio uses.
  ///
  /// - Parameters:
  ///   - cookie: The cookie in the form of this module, such as `PacketReader.magicCookie`.
  ///   - codec: The codec of the packets.
  /// - Returns: The cookie; empty if `cookie` is empty.
  public static func coreAudioCookie(_ cookie: [UInt8], for codec: SoundCodec) -> [UInt8] {
    cookie.isEmpty ? [] : CAFCookie.content(cookie, codec)
  }

  /// Reads the configuration of AAC from a cookie of either form.
  ///
  /// - Parameter bytes: An elementary stream descriptor, with or without the version and flags of
  ///   its box, or an AudioSpecificConfig.
  /// - Returns: The configuration; nil if the bytes are invalid.
  public static func audioSpecificConfig(_ bytes: [UInt8]) -> AudioSpecificConfig? {
    for content in [bytes[...], bytes.dropFirst(4)] {
      if let (_, config) = MP4SoundEntry.decoder(content) { return AudioSpecificConfig(config) }
    }
    return AudioSpecificConfig(bytes)
  }
}
