// SPDX-License-Identifier: Apache-2.0

/// A codec of the compressed samples in SF3 fonts.
///
/// The flag in a sample's header marks it as compressed; the sample's first bytes identify the codec.
///
/// Source: SoundFont 3 format, as described in FluidSynth's wiki.
public enum SampleCodec: String, CaseIterable, Sendable {
  /// Vorbis in Ogg, the codec of MuseScore, Polyphone and SpessaSynth.
  case vorbis = "Ogg Vorbis"
  /// Opus in Ogg, decoded at 8, 12, 16, 24 or 48 kHz.
  case opus = "Ogg Opus"
  /// FLAC, native or in Ogg.
  case flac = "FLAC"

  /// The most frames that a stream can hold.
  ///
  /// Sound has at least 6 kbit/s, the lowest rate of Opus: 64 frames of 48 kHz for a byte. Silence
  /// needs less, so 2²⁴ more frames are allowed, as far as the codec can code them.
  ///
  /// - Parameter count: the stream's bytes, 0…2³².
  /// - Returns: the number of frames.
  package func frameLimit(inBytes count: Int) -> Int {
    min(densest * count, (1 << 24) + 64 * count)
  }

  /// The most frames that a byte can code.
  ///
  /// Source: Vorbis I specification, section 4.3.8; RFC 6716, section 3.2; RFC 9639, section 9.
  private var densest: Int {
    switch self {
    // A packet has a byte and its length another. It makes 8192 frames, half of which overlap the next.
    case .vorbis: 4096
    // A packet of 120 ms has a byte and its length another.
    case .opus: 2880
    // A FLAC frame of 65,535 equal samples of 8 bits has 12 bytes.
    case .flac: 5462
    }
  }
}
