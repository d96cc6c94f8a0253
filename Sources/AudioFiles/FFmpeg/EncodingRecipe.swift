// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg

/// How FFmpeg is to write a kind of file.
struct EncodingRecipe {
  /// FFmpeg's names of the encoder and of the container; this is empty for a container of our own.
  let encoder: String
  let muxer: String
  /// The type of sample that the encoder takes, and its bits where they are integers.
  let sampleFormat: Int
  var bits = 0
  /// Bits a second; nil where it is not asked for.
  var bitrate: Int?
  /// Options of the encoder.
  var options: [(String, String)] = []
  /// Options of the container.
  var muxerOptions: [(String, String)] = []
  /// The codec of a Core Audio Format file, which FFmpeg encodes and does not write.
  private(set) var cafCodec: SoundCodec?

  /// The recipe for a format; nil where libsndfile writes it.
  ///
  /// Without a wish AAC has 64 kbit/s a channel up to two, and 48 for each further one.
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
        // From 0.1 to 2, by FFmpeg's documentation.
        setQuality(0.1 + 1.9 * quality)
      } else {
        // FFmpeg's other coder, its usual one, is off by a third of a tone's level where this one is
        // off by a thousandth, and as good with noise; it knows bitrates only.
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
      // 0 is LAME's best, 9 its smallest.
      if bitrate == nil, let quality { setQuality(9 * (1 - quality)) }
    case (.opus, _) where bitrate != nil || quality != nil:
      self.init("libopus", "opus", AV_SAMPLE_FMT_FLT)
      self.bitrate = bitrate ?? Int(32_000 + 96_000 * (quality ?? 0.6)) * channelCount
    default: return nil
    }
    let header = muxer == "ipod" || cafCodec != nil ? "+global_header" : ""
    options.insert(("flags", "+bitexact\(header)\(isByQuality ? "+qscale" : "")"), at: 0)
    // The edit list counts in these units: to the frame, not to the millisecond.
    if muxer == "ipod" { muxerOptions.append(("movie_timescale", "\(hertz)")) }
  }

  private init(_ encoder: String, _ muxer: String, _ sampleFormat: Int) {
    (self.encoder, self.muxer, self.sampleFormat) = (encoder, muxer, sampleFormat)
  }

  private var isByQuality: Bool { options.contains { $0.0 == "global_quality" } }

  /// FFmpeg counts qualities in 118ths.
  private mutating func setQuality(_ quality: Double) {
    bitrate = nil
    options.append(("global_quality", "\(Int((quality * 118).rounded()))"))
  }
}
