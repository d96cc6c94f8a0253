// SPDX-License-Identifier: Apache-2.0
internal import CSndFile

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
  ///     integers, and Vorbis in an OGG file.
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
  ///   - path: a file name ending in `.wav`, `.aiff`, `.caf`, `.flac` or `.ogg`, or one of their
  ///     other spellings, in any case.
  ///   - encoding: how to store a sample; nil for the container's usual one.
  /// - Throws: `SoundFileError.unknownSuffix`, `SoundFileError.impossibleEncoding`.
  public init(path: String, encoding: Encoding? = nil) throws(SoundFileError) {
    guard let container = Container(path: path) else { throw .unknownSuffix(path: path) }
    try self.init(container, encoding)
  }

  /// The kinds of file that can be written.
  public enum Container: String, Hashable, Sendable, CaseIterable {
    /// RIFF/WAVE; RF64 where it is known to exceed 4 GB.
    case wav
    /// Apple's interchange format, up to 4 GB.
    case aiff
    /// Apple's Core Audio format.
    case caf
    /// The free lossless codec.
    case flac
    /// Vorbis in an Ogg stream; lossy.
    case ogg

    /// The container that a file's suffix names, or nil.
    public init?(path: String) {
      let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
      guard let dot = name.lastIndex(of: ".") else { return nil }
      switch name[name.index(after: dot)...].lowercased() {
      case "wav", "wave": self = .wav
      case "aif", "aiff": self = .aiff
      case "caf": self = .caf
      case "flac": self = .flac
      case "ogg", "oga": self = .ogg
      default: return nil
      }
    }

    /// The encodings it can hold, the usual one first.
    public var encodings: [Encoding] {
      switch self {
      case .wav, .aiff, .caf: [.integer16, .integer24, .integer32, .float32]
      case .flac: [.integer16, .integer24]
      case .ogg: [.vorbis]
      }
    }
  }

  /// The ways to store a sample.
  public enum Encoding: String, Hashable, Sendable, CaseIterable {
    /// Signed integers of 16 bits.
    case integer16 = "16"
    /// Signed integers of 24 bits.
    case integer24 = "24"
    /// Signed integers of 32 bits.
    case integer32 = "32"
    /// IEEE single precision, which may exceed full scale.
    case float32 = "float"
    /// Vorbis at quality 6, some 192 kbit/s for stereo.
    case vorbis

    /// The bytes a sample takes, or nil where that depends on the sound.
    public var bytes: Int? {
      switch self {
      case .integer16: 2
      case .integer24: 3
      case .integer32, .float32: 4
      case .vorbis: nil
      }
    }
  }
}

extension SoundFileFormat {
  /// The largest number of bytes of sound that a container's 32-bit sizes can name.
  ///
  /// 4 GB less 4096 bytes for the chunks around the sound.
  var byteLimit: Int? {
    container == .wav || container == .aiff ? Int(UInt32.max) - 4096 : nil
  }

  /// libsndfile's number for the format.
  func code(large: Bool) -> Int32 {
    let major =
      switch container {
      case .wav: large ? SF_FORMAT_RF64 : SF_FORMAT_WAV
      case .aiff: SF_FORMAT_AIFF
      case .caf: SF_FORMAT_CAF
      case .flac: SF_FORMAT_FLAC
      case .ogg: SF_FORMAT_OGG
      }
    let minor =
      switch encoding {
      case .integer16: SF_FORMAT_PCM_16
      case .integer24: SF_FORMAT_PCM_24
      case .integer32: SF_FORMAT_PCM_32
      case .float32: SF_FORMAT_FLOAT
      case .vorbis: SF_FORMAT_VORBIS
      }
    return Int32(major | minor)
  }
}
