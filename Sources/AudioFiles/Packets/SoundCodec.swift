// SPDX-License-Identifier: Apache-2.0

/// What the sound in packets is encoded with, by Core Audio's code where it has one, else by
/// FFmpeg's name.
public struct SoundCodec: RawRepresentable, Hashable, Sendable {
  /// Four letters of Core Audio, such as `aac `, or a name of FFmpeg, such as `wmav2`.
  public let rawValue: String

  /// Creates a codec by its code or its name; any is taken.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// AAC of low complexity, or another kind of AAC without extensions.
  public static let aac = SoundCodec(rawValue: "aac ")
  /// HE-AAC: AAC whose upper half of the spectrum is replicated (SBR).
  public static let aacHE = SoundCodec(rawValue: "aach")
  /// HE-AAC v2: HE-AAC of one channel that is spread to two (PS).
  public static let aacHEv2 = SoundCodec(rawValue: "aacp")
  /// Apple's lossless codec.
  public static let alac = SoundCodec(rawValue: "alac")
  /// MPEG-1 and 2 audio layer I.
  public static let mp1 = SoundCodec(rawValue: ".mp1")
  /// MPEG-1 and 2 audio layer II.
  public static let mp2 = SoundCodec(rawValue: ".mp2")
  /// MPEG-1 and 2 audio layer III.
  public static let mp3 = SoundCodec(rawValue: ".mp3")
  /// Dolby's AC-3.
  public static let ac3 = SoundCodec(rawValue: "ac-3")
  /// Dolby's E-AC-3, also called Dolby Digital Plus.
  public static let enhancedAC3 = SoundCodec(rawValue: "ec-3")
  /// Samples as they are: integers or floating point.
  public static let linearPCM = SoundCodec(rawValue: "lpcm")
  /// ITU-T G.711 μ-law.
  public static let muLaw = SoundCodec(rawValue: "ulaw")
  /// ITU-T G.711 A-law.
  public static let aLaw = SoundCodec(rawValue: "alaw")
  /// Differences of four bits, by the Interactive Multimedia Association.
  public static let imaADPCM = SoundCodec(rawValue: "ima4")
  /// GSM 06.10, full rate, for speech.
  public static let gsm = SoundCodec(rawValue: "agsm")
  /// iLBC (RFC 3951), for speech.
  public static let ilbc = SoundCodec(rawValue: "ilbc")
  /// AMR, narrow band (3GPP TS 26.071), for speech.
  public static let amrNarrow = SoundCodec(rawValue: "samr")
  /// AMR, wide band (3GPP TS 26.171), for speech.
  public static let amrWide = SoundCodec(rawValue: "sawb")
  /// The free lossless codec.
  public static let flac = SoundCodec(rawValue: "flac")
  /// Vorbis.
  public static let vorbis = SoundCodec(rawValue: "vorbis")
  /// Opus.
  public static let opus = SoundCodec(rawValue: "opus")
}

extension SoundCodec: CustomStringConvertible {
  /// What people call it.
  public var description: String {
    switch self {
    case .aac: "AAC"
    case .aacHE: "HE-AAC"
    case .aacHEv2: "HE-AAC v2"
    case .alac: "ALAC"
    case .mp1: "MPEG layer I"
    case .mp2: "MPEG layer II"
    case .mp3: "MP3"
    case .ac3: "AC-3"
    case .enhancedAC3: "E-AC-3"
    case .linearPCM: "PCM"
    case .muLaw: "μ-law"
    case .aLaw: "A-law"
    case .imaADPCM: "IMA ADPCM"
    case .gsm: "GSM 6.10"
    case .ilbc: "iLBC"
    case .amrNarrow: "AMR-NB"
    case .amrWide: "AMR-WB"
    case .flac: "FLAC"
    case .vorbis: "Vorbis"
    case .opus: "Opus"
    default: rawValue
    }
  }
}

extension SoundCodec {
  /// The codec of FFmpeg's name; a codec without a name here keeps FFmpeg's.
  ///
  /// One codec has one name, whatever the container: FFmpeg names each packing of IMA ADPCM, of
  /// GSM and of samples.
  init(ffmpeg name: String) {
    if let known = Self.ffmpegNames[name] {
      self = known
    } else if name.hasPrefix("pcm_") {
      self = .linearPCM
    } else {
      self.init(rawValue: name)
    }
  }

  private static let ffmpegNames: [String: SoundCodec] = [
    "aac": .aac, "alac": .alac, "mp1": .mp1, "mp2": .mp2, "mp3": .mp3, "pcm_mulaw": .muLaw,
    "pcm_alaw": .aLaw, "adpcm_ima_qt": .imaADPCM, "adpcm_ima_wav": .imaADPCM, "ac3": .ac3,
    "eac3": .enhancedAC3, "gsm": .gsm, "gsm_ms": .gsm, "ilbc": .ilbc, "amr_nb": .amrNarrow,
    "amr_wb": .amrWide, "flac": .flac, "vorbis": .vorbis, "opus": .opus,
  ]
}
