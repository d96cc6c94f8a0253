// SPDX-License-Identifier: Apache-2.0

/// The format of a sound file: its container and the encoding of its samples.
public struct SoundFileFormat: Hashable, Sendable {
  /// The container.
  public let container: Container
  /// The encoding of the samples.
  public let encoding: Encoding

  /// Creates a format.
  ///
  /// - Parameters:
  ///   - container: The container.
  ///   - encoding: The encoding; nil for the container's default, which is 16-bit integers or its
  ///     codec.
  /// - Throws: `SoundFileError.impossibleEncoding` if the container does not support the encoding.
  public init(_ container: Container, _ encoding: Encoding? = nil) throws(SoundFileError) {
    let encoding = encoding ?? container.encodings[0]
    guard container.encodings.contains(encoding) else {
      throw .impossibleEncoding(encoding, container: container)
    }
    self.container = container
    self.encoding = encoding
  }

  /// Creates a format from the extension of a file name.
  ///
  /// - Parameters:
  ///   - path: A file name that ends with the extension of a container, in upper or lower case.
  ///   - encoding: The encoding; nil for the container's default.
  /// - Throws: `SoundFileError.unknownSuffix`, `SoundFileError.impossibleEncoding`.
  public init(path: String, encoding: Encoding? = nil) throws(SoundFileError) {
    guard let container = Container(path: path) else { throw .unknownSuffix(path: path) }
    try self.init(container, encoding)
  }

  /// The containers that can be written.
  public enum Container: String, Hashable, Sendable, CaseIterable {
    /// RIFF/WAVE.
    ///
    /// A file that is expected to exceed 4 GB is written as RF64, and a file with a broadcast
    /// extension as BWF.
    case wav
    /// WAVE with 64-bit sizes (RF64), of any length.
    case rf64
    /// Sony Wave64, with 64-bit sizes.
    case w64
    /// Apple's AIFF, up to 4 GB.
    case aiff
    /// Core Audio Format: samples, AAC, ALAC or IMA ADPCM.
    case caf
    /// The AU format of Sun and NeXT.
    case au
    /// FLAC; lossless.
    case flac
    /// Vorbis in Ogg; lossy.
    case ogg
    /// Opus in Ogg; lossy, at 8000, 12,000, 16,000, 24,000 or 48,000 Hz.
    case opus
    /// MPEG audio layer III; lossy, at most two channels.
    case mp3
    /// MPEG-4 with AAC (lossy) or ALAC (lossless integers); written with FFmpeg.
    case m4a
    /// AAC with ADTS headers; lossy; written with FFmpeg.
    ///
    /// The files do not state their length.
    case aac
    /// WavPack; lossless; written with FFmpeg.
    case wv

    /// Creates a container from the extension of a file name; nil if the extension is unknown.
    public init?(path: String) {
      let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
      guard let dot = name.lastIndex(of: ".") else { return nil }
      let suffix = name[name.index(after: dot)...].lowercased()
      guard let found = Self.allCases.first(where: { $0.suffixes.contains(suffix) }) else {
        return nil
      }
      self = found
    }

    /// The file name extensions of the container, in lower case without the dot, with the usual one
    /// first.
    public var suffixes: [String] {
      switch self {
      case .wav: ["wav", "wave", "bwf"]
      case .aiff: ["aiff", "aif"]
      case .au: ["au", "snd"]
      case .ogg: ["ogg", "oga"]
      default: [rawValue]
      }
    }

    /// The encodings that the container supports, with the default first.
    ///
    /// In a lossless container such as FLAC, integers are compressed without loss.
    public var encodings: [Encoding] {
      switch self {
      case .caf:
        [
          .integer16, .integer24, .integer32, .float32, .float64, .integer8, .muLaw, .aLaw, .aac,
          .alac16, .alac24, .imaADPCM,
        ]
      case .wav, .rf64, .w64, .aiff, .au:
        [.integer16, .integer24, .integer32, .float32, .float64, .integer8, .muLaw, .aLaw]
      case .flac: [.integer16, .integer24, .integer8]
      case .ogg: [.vorbis]
      case .opus: [.opus]
      case .mp3: [.mp3]
      case .m4a: [.aac, .integer16, .integer24]
      case .aac: [.aac]
      case .wv: [.integer16, .integer24, .float32]
      }
    }

    /// The supported rates in hertz, in ascending order, or nil if all rates are supported.
    public var rates: [Int]? {
      switch self {
      case .opus: [8_000, 12_000, 16_000, 24_000, 48_000]
      case .mp3: [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]
      case .aac: AudioSpecificConfig.rates.reversed()
      default: nil
      }
    }
  }

  /// The supported rates in hertz, in ascending order, or nil if all rates are supported.
  public var rates: [Int]? {
    encoding == .aac ? AudioSpecificConfig.rates.reversed() : container.rates
  }

  /// The encodings of samples.
  public enum Encoding: String, Hashable, Sendable, CaseIterable {
    /// 8-bit integers.
    case integer8 = "8"
    /// 16-bit signed integers.
    case integer16 = "16"
    /// 24-bit signed integers.
    case integer24 = "24"
    /// 32-bit signed integers.
    case integer32 = "32"
    /// IEEE single precision, which can exceed full scale.
    case float32 = "float"
    /// IEEE double precision, which can exceed full scale.
    case float64 = "double"
    /// ITU-T G.711 μ-law: 8 bits per sample, with the dynamic range of about 14 bits.
    case muLaw = "ulaw"
    /// ITU-T G.711 A-law: 8 bits per sample, with the dynamic range of about 13 bits.
    case aLaw = "alaw"
    /// Vorbis, by default at quality 0.6: about 192 kbit/s for stereo.
    case vorbis
    /// Opus, by default about 192 kbit/s for stereo.
    case opus
    /// MPEG layer III, by default at a variable rate of about 200 kbit/s for stereo.
    case mp3
    /// AAC-LC, by default 128 kbit/s for stereo.
    case aac
    /// 16-bit integers in ALAC, for CAF; in M4A, use `integer16`.
    case alac16 = "alac"
    /// 24-bit integers in ALAC, for CAF; in M4A, use `integer24`.
    case alac24
    /// IMA ADPCM: 4 bits per sample, at most two channels; lossy, with a constant bitrate.
    case imaADPCM = "ima4"

    /// The number of bytes of a sample, or nil if the number depends on the sound.
    public var bytes: Int? {
      switch self {
      case .integer8, .muLaw, .aLaw: 1
      case .integer16: 2
      case .integer24: 3
      case .integer32, .float32: 4
      case .float64: 8
      case .vorbis, .opus, .mp3, .aac, .alac16, .alac24, .imaADPCM: nil
      }
    }

    /// The number of bits of an integer, or nil if samples are not integers.
    public var integerBits: Int? {
      switch self {
      case .integer8: 8
      case .integer16, .alac16: 16
      case .integer24, .alac24: 24
      case .integer32: 32
      default: nil
      }
    }

    /// True if samples are floating-point numbers, which can exceed full scale.
    public var isFloatingPoint: Bool { self == .float32 || self == .float64 }

    /// The encoding of packets in a Core Audio Format file; nil if the codec is not written.
    init?(_ codec: SoundCodec, bits: Int?) {
      switch codec {
      case .aac, .aacHE, .aacHEv2: self = .aac
      case .imaADPCM: self = .imaADPCM
      case .alac where bits == 16: self = .alac16
      case .alac where bits == 24: self = .alac24
      default: return nil
      }
    }
  }
}

extension SoundFileFormat {
  /// True if the byte order of samples can be selected.
  public var hasByteOrder: Bool {
    [.caf, .aiff, .au].contains(container) && encoding.bytes ?? 0 > 1
  }

  /// The maximum number of bytes of sound in a container with 32-bit sizes.
  ///
  /// It is 4 GB minus 4096 bytes for the chunks around the sound.
  var byteLimit: Int? {
    container == .wav || container == .aiff ? Int(UInt32.max) - 4096 : nil
  }
}
