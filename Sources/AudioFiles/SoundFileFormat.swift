// SPDX-License-Identifier: Apache-2.0

/// A kind of sound file: its container and how it stores a sample.
public struct SoundFileFormat: Hashable, Sendable {
  /// The container.
  public let container: Container
  /// How a sample is stored.
  public let encoding: Encoding

  /// Creates a format.
  ///
  /// - Parameters:
  ///   - container: the container.
  ///   - encoding: how to store a sample; nil for the container's usual one, which is 16-bit
  ///     integers, or the codec of its own.
  /// - Throws: `SoundFileError.impossibleEncoding` where the container cannot hold it.
  public init(_ container: Container, _ encoding: Encoding? = nil) throws(SoundFileError) {
    let encoding = encoding ?? container.encodings[0]
    guard container.encodings.contains(encoding) else {
      throw .impossibleEncoding(encoding, container: container)
    }
    self.container = container
    self.encoding = encoding
  }

  /// Creates the format that a file's suffix names.
  ///
  /// - Parameters:
  ///   - path: a file name ending in a container's suffix, in any case.
  ///   - encoding: how to store a sample; nil for the container's usual one.
  /// - Throws: `SoundFileError.unknownSuffix`, `SoundFileError.impossibleEncoding`.
  public init(path: String, encoding: Encoding? = nil) throws(SoundFileError) {
    guard let container = Container(path: path) else { throw .unknownSuffix(path: path) }
    try self.init(container, encoding)
  }

  /// The kinds of file that can be written.
  public enum Container: String, Hashable, Sendable, CaseIterable {
    /// RIFF/WAVE; RF64 where it is known to exceed 4 GB; BWF where it has a broadcast extension.
    case wav
    /// WAVE with sizes of 64 bits, whatever its length.
    case rf64
    /// Sony's WAVE with sizes of 64 bits.
    case w64
    /// Apple's interchange format, up to 4 GB.
    case aiff
    /// Apple's Core Audio format: samples, AAC, Apple's lossless codec (ALAC) or IMA ADPCM.
    case caf
    /// Sun's and NeXT's format.
    case au
    /// The free lossless codec.
    case flac
    /// Vorbis in an Ogg stream; lossy.
    case ogg
    /// Opus in an Ogg stream; lossy, 48 000 Hz and some fractions of it.
    case opus
    /// MPEG-1 and 2 audio layer III; lossy, at most two channels.
    case mp3
    /// MPEG-4: AAC, which is lossy, or integers by Apple's lossless codec (ALAC); by FFmpeg.
    case m4a
    /// AAC behind headers (ADTS), which do not say how long the sound is; lossy; by FFmpeg.
    case aac
    /// The lossless codec WavPack; by FFmpeg.
    case wv

    /// The container that a file's suffix names, or nil.
    public init?(path: String) {
      let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
      guard let dot = name.lastIndex(of: ".") else { return nil }
      let suffix = name[name.index(after: dot)...].lowercased()
      guard let found = Self.allCases.first(where: { $0.suffixes.contains(suffix) }) else {
        return nil
      }
      self = found
    }

    /// The suffixes that name it, in lower case and without the dot, the usual one first.
    public var suffixes: [String] {
      switch self {
      case .wav: ["wav", "wave", "bwf"]
      case .aiff: ["aiff", "aif"]
      case .au: ["au", "snd"]
      case .ogg: ["ogg", "oga"]
      default: [rawValue]
      }
    }

    /// The encodings it can hold, the usual one first; integers of a lossless codec are its own.
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

    /// The rates it can hold, in ascending order, or nil where it holds any.
    public var rates: [Int]? {
      switch self {
      case .opus: [8_000, 12_000, 16_000, 24_000, 48_000]
      case .mp3: [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]
      case .aac: AudioSpecificConfig.rates.reversed()
      default: nil
      }
    }
  }

  /// The rates that it can hold, in ascending order, or nil where it holds any.
  public var rates: [Int]? {
    encoding == .aac ? AudioSpecificConfig.rates.reversed() : container.rates
  }

  /// The ways to store a sample.
  public enum Encoding: String, Hashable, Sendable, CaseIterable {
    /// Integers of 8 bits.
    case integer8 = "8"
    /// Signed integers of 16 bits.
    case integer16 = "16"
    /// Signed integers of 24 bits.
    case integer24 = "24"
    /// Signed integers of 32 bits.
    case integer32 = "32"
    /// IEEE single precision, which may exceed full scale.
    case float32 = "float"
    /// IEEE double precision, which may exceed full scale.
    case float64 = "double"
    /// ITU-T G.711 μ-law: 8 bits for some 14.
    case muLaw = "ulaw"
    /// ITU-T G.711 A-law: 8 bits for some 13.
    case aLaw = "alaw"
    /// Vorbis at quality 6, some 192 kbit/s for stereo.
    case vorbis
    /// Opus, some 192 kbit/s for stereo.
    case opus
    /// MPEG layer III at a variable rate, some 200 kbit/s for stereo.
    case mp3
    /// AAC-LC, 128 kbit/s for stereo.
    case aac
    /// Signed integers of 16 bits by Apple's lossless codec, in CAF; in M4A `integer16` is the same.
    case alac16 = "alac"
    /// Signed integers of 24 bits by Apple's lossless codec, in CAF; in M4A `integer24` is the same.
    case alac24
    /// IMA ADPCM: 4 bits for some 14, at most two channels; lossy, but without a bitrate to choose.
    case imaADPCM = "ima4"

    /// The bytes a sample takes, or nil where that depends on the sound.
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

    /// The bits of an integer, or nil where samples are stored in another way.
    public var integerBits: Int? {
      switch self {
      case .integer8: 8
      case .integer16, .alac16: 16
      case .integer24, .alac24: 24
      case .integer32: 32
      default: nil
      }
    }

    /// Whether a sample may exceed full scale.
    public var isFloatingPoint: Bool { self == .float32 || self == .float64 }

    /// The encoding of packets in a Core Audio Format file; nil for a codec that is not written.
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
  /// True if the order of the bytes of a sample can be chosen.
  public var hasByteOrder: Bool {
    [.caf, .aiff, .au].contains(container) && encoding.bytes ?? 0 > 1
  }

  /// The largest number of bytes of sound that a container's 32-bit sizes can name.
  ///
  /// 4 GB less 4096 bytes for the chunks around the sound.
  var byteLimit: Int? {
    container == .wav || container == .aiff ? Int(UInt32.max) - 4096 : nil
  }
}
