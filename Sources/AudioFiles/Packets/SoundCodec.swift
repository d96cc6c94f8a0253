// SPDX-License-Identifier: Apache-2.0

/// A codec, identified by Core Audio's four-character code, or by FFmpeg's name if it does not have
/// one.
public struct SoundCodec: RawRepresentable, Hashable, Sendable {
  /// Core Audio's code of four characters, such as `aac `, or FFmpeg's name, such as `wmav2`.
  public let rawValue: String

  /// Creates a codec from a four-character code, or from FFmpeg's name of the codec.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// AAC-LC, or another object type of AAC without extensions.
  public static let aac = SoundCodec(rawValue: "aac ")
  /// HE-AAC: AAC with spectral band replication (SBR).
  public static let aacHE = SoundCodec(rawValue: "aach")
  /// HE-AAC v2: mono HE-AAC with parametric stereo (PS).
  public static let aacHEv2 = SoundCodec(rawValue: "aacp")
  /// Apple Lossless.
  public static let alac = SoundCodec(rawValue: "alac")
  /// MPEG-1 and MPEG-2 audio, layer I.
  public static let mp1 = SoundCodec(rawValue: ".mp1")
  /// MPEG-1 and MPEG-2 audio, layer II.
  public static let mp2 = SoundCodec(rawValue: ".mp2")
  /// MPEG-1 and MPEG-2 audio, layer III.
  public static let mp3 = SoundCodec(rawValue: ".mp3")
  /// Dolby AC-3, also called Dolby Digital.
  public static let ac3 = SoundCodec(rawValue: "ac-3")
  /// Dolby E-AC-3, also called Dolby Digital Plus.
  public static let enhancedAC3 = SoundCodec(rawValue: "ec-3")
  /// Uncompressed samples: integers or floating point.
  public static let linearPCM = SoundCodec(rawValue: "lpcm")
  /// ITU-T G.711 μ-law.
  public static let muLaw = SoundCodec(rawValue: "ulaw")
  /// ITU-T G.711 A-law.
  public static let aLaw = SoundCodec(rawValue: "alaw")
  /// IMA ADPCM, 4 bits per sample.
  public static let imaADPCM = SoundCodec(rawValue: "ima4")
  /// GSM 06.10 full rate, a speech codec.
  public static let gsm = SoundCodec(rawValue: "agsm")
  /// iLBC (RFC 3951), a speech codec.
  public static let ilbc = SoundCodec(rawValue: "ilbc")
  /// AMR narrowband (3GPP TS 26.071), a speech codec.
  public static let amrNarrow = SoundCodec(rawValue: "samr")
  /// AMR wideband (3GPP TS 26.171), a speech codec.
  public static let amrWide = SoundCodec(rawValue: "sawb")
  /// FLAC (RFC 9639), a lossless codec.
  public static let flac = SoundCodec(rawValue: "flac")
  /// Vorbis, a lossy codec.
  public static let vorbis = SoundCodec(rawValue: "vorbis")
  /// Opus (RFC 6716), a lossy codec.
  public static let opus = SoundCodec(rawValue: "opus")
}

extension SoundCodec: CustomStringConvertible {
  /// The usual name, such as `HE-AAC`; the raw value if the codec is not listed here.
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
  /// Creates a codec from FFmpeg's name; a codec that is not listed here keeps that name.
  ///
  /// FFmpeg has several names for IMA ADPCM, GSM and PCM, one for each packing. Here a codec has
  /// one name in every container.
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
