// SPDX-License-Identifier: Apache-2.0
package import AudioFiles
package import CCoreAudio

/// The formats with which the same packets can be decoded.
package enum FormatList {
  /// The formats of packets, the richest first.
  ///
  /// - Parameters:
  ///   - layer: the packets.
  ///   - cookie: what a decoder needs to know, in either form; empty for none.
  ///   - bits: the bits of a lossless codec's samples, if they are known.
  /// - Returns: one item, or several of AAC with extensions.
  package static func items(
    _ layer: SoundLayer, cookie: [UInt8], bits: Int?
  ) -> [AudioFormatListItem] {
    guard [.aac, .aacHE, .aacHEv2].contains(layer.codec),
      let config = MagicCookie.audioSpecificConfig(cookie)
    else { return [item(layer, bits: bits)] }
    return config.layers.map { item($0, bits: nil) }
  }

  /// A format with the usual layout of its channels.
  ///
  /// - Parameters:
  ///   - layer: the packets.
  ///   - bits: the bits of a lossless codec's samples, if they are known.
  /// - Returns: the item.
  package static func item(_ layer: SoundLayer, bits: Int?) -> AudioFormatListItem {
    AudioFormatListItem(
      mASBD: AudioStreamBasicDescription(layer, bits: bits),
      mChannelLayoutTag: layoutTag(layer))
  }

  /// The tag of the channels; AAC and AC-3 have orders different from those of WAVE files, but the
  /// decoded samples are in the order of WAVE files.
  private static func layoutTag(_ layer: SoundLayer) -> AudioChannelLayoutTag {
    ChannelLabels(.usual(channelCount: layer.channelCount)).tag
      ?? kAudioChannelLayoutTag_Unknown | UInt32(clamping: layer.channelCount)
  }
}
