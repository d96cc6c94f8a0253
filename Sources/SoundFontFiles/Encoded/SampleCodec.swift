// SPDX-License-Identifier: Apache-2.0

/// A codec of the compressed samples in SF3 fonts.
///
/// A flag in the header of a sample states that the sample is compressed. The first bytes of the
/// data identify the codec.
///
/// Source: SoundFont 3 format, as described in FluidSynth's wiki.
public enum SampleCodec: String, CaseIterable, Sendable {
  /// Vorbis in Ogg, the codec of MuseScore, Polyphone and SpessaSynth.
  case vorbis = "Ogg Vorbis"
  /// Opus in Ogg, decoded at 8, 12, 16, 24 or 48 kHz.
  case opus = "Ogg Opus"
  /// FLAC, native or in Ogg.
  case flac = "FLAC"

  /// The maximum number of frames in a stream.
  ///
  /// Sound needs at least 6 kbit/s, the lowest bitrate of Opus: 64 frames at 48 kHz per byte.
  /// Silence needs less, so 2²⁴ more frames are allowed, up to the limit of the codec.
  ///
  /// - Parameter count: The number of bytes of the stream, 0…2³².
  /// - Returns: The number of frames.
  package func frameLimit(inBytes count: Int) -> Int {
    min(densest * count, (1 << 24) + 64 * count)
  }

  /// The maximum number of frames per byte.
  ///
  /// Source: Vorbis I specification, section 4.3.8; RFC 6716, section 3.2; RFC 9639, section 9.
  private var densest: Int {
    switch self {
    // A packet has one byte, and its length another. It decodes to 8192 frames, half of which
    // overlap the next.
    case .vorbis: 4096
    // A packet of 120 ms has one byte, and its length another.
    case .opus: 2880
    // A FLAC frame of 65,535 equal samples of 8 bits has 12 bytes.
    case .flac: 5462
    }
  }
}
