// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg

/// The FFmpeg encoder, container and options for a file format.
struct EncodingRecipe {
  /// FFmpeg's names of the encoder and of the container.
  ///
  /// The latter is empty if this module writes the container.
  let encoder: String
  let muxer: String
  /// The sample type of the encoder, and its bits for integers.
  let sampleFormat: Int
  var bits = 0
  /// Bits per second; nil for the default.
  var bitrate: Int?
  /// Options of the encoder.
  var options: [(String, String)] = []
  /// Options of the container.
  var muxerOptions: [(String, String)] = []
  /// The codec of a Core Audio Format file, which FFmpeg encodes but does not write.
  private(set) var cafCodec: SoundCodec?

  /// Creates the recipe for a format; nil if libsndfile writes it.
  ///
  /// By default AAC has 64 kbit/s per channel for the first two channels, and 48 kbit/s for each
  /// further one.
  init?(
    _ format: SoundFileFormat, bitrate: Int?, quality: Double?, channelCount: Int, hertz: Int
  ) {
    switch (format.container, format.encoding) {
    case (.caf, .imaADPCM):
      self.init("adpcm_ima_qt", "", AV_SAMPLE_FMT_S16P)
      cafCodec = .imaADPCM
    case (.m4a, .aac), (.aac, .aac), (.caf, .aac):
      self.init(
        "aac", [.aac: "adts", .m4a: "ipod"][format.container] ?? "", AV_SAMPLE_FMT_FLTP)
      if format.container == .caf { cafCodec = .aac }
      self.bitrate = bitrate ?? 64_000 * min(2, channelCount) + 48_000 * max(0, channelCount - 2)
      if let quality {
        // The range is 0.1 to 2 by FFmpeg's documentation.
        setQuality(0.1 + 1.9 * quality)
      } else {
        // FFmpeg's default coder has level errors of a third for tones, this one of a thousandth;
        // both are equal for noise. The coder supports bitrates only.
        options.append(("aac_coder", "fast"))
      }
    case (.m4a, let encoding),
      (.caf, let encoding) where encoding == .alac16 || encoding == .alac24:
      let bits = encoding.integerBits ?? 16
      self.init(
        "alac", format.container == .m4a ? "ipod" : "",
        bits > 16 ? AV_SAMPLE_FMT_S32P : AV_SAMPLE_FMT_S16P)
      self.bits = bits
      if format.container == .caf { cafCodec = .alac }
    case (.wv, .float32): self.init("wavpack", "wv", AV_SAMPLE_FMT_FLTP)
    case (.wv, let encoding):
      let bits = encoding.integerBits ?? 16
      self.init("wavpack", "wv", bits > 16 ? AV_SAMPLE_FMT_S32P : AV_SAMPLE_FMT_S16P)
      self.bits = bits
    case (.mp3, _) where bitrate != nil || quality != nil:
      self.init("libmp3lame", "mp3", AV_SAMPLE_FMT_FLTP)
      self.bitrate = bitrate
      // For LAME, 0 is the best quality and 9 the smallest file.
      if bitrate == nil, let quality { setQuality(9 * (1 - quality)) }
    case (.opus, _) where bitrate != nil || quality != nil:
      self.init("libopus", "opus", AV_SAMPLE_FMT_FLT)
      self.bitrate = bitrate ?? Int(32_000 + 96_000 * (quality ?? 0.6)) * channelCount
    default: return nil
    }
    let header = muxer == "ipod" || cafCodec != nil ? "+global_header" : ""
    options.insert(("flags", "+bitexact\(header)\(isByQuality ? "+qscale" : "")"), at: 0)
    // The units of the edit list are frames instead of milliseconds.
    if muxer == "ipod" { muxerOptions.append(("movie_timescale", "\(hertz)")) }
  }

  private init(_ encoder: String, _ muxer: String, _ sampleFormat: Int) {
    (self.encoder, self.muxer, self.sampleFormat) = (encoder, muxer, sampleFormat)
  }

  private var isByQuality: Bool { options.contains { $0.0 == "global_quality" } }

  /// Sets the quality in FFmpeg's unit, 1/118.
  private mutating func setQuality(_ quality: Double) {
    bitrate = nil
    options.append(("global_quality", "\(Int((quality * 118).rounded()))"))
  }
}
