// SPDX-License-Identifier: Apache-2.0
internal import CSndFile

extension SoundFileFormat.Container {
  /// libsndfile's number of the container; 0 if libsndfile does not write it.
  var code: Int {
    switch self {
    case .wav: SF_FORMAT_WAV
    case .rf64: SF_FORMAT_RF64
    case .w64: SF_FORMAT_W64
    case .aiff: SF_FORMAT_AIFF
    case .caf: SF_FORMAT_CAF
    case .au: SF_FORMAT_AU
    case .flac: SF_FORMAT_FLAC
    case .ogg, .opus: SF_FORMAT_OGG
    case .mp3: SF_FORMAT_MPEG
    case .m4a, .aac, .wv: 0
    }
  }

  /// True if 8-bit samples are signed; those of the WAVE family are not.
  fileprivate var signsBytes: Bool {
    switch self {
    case .wav, .rf64, .w64: false
    default: true
    }
  }
}

extension SoundFileFormat {
  /// libsndfile's number of the format.
  func code(large: Bool) -> Int32 {
    let major = large && container == .wav ? SF_FORMAT_RF64 : container.code
    let minor =
      switch encoding {
      case .integer8: container.signsBytes ? SF_FORMAT_PCM_S8 : SF_FORMAT_PCM_U8
      case .integer16: SF_FORMAT_PCM_16
      case .integer24: SF_FORMAT_PCM_24
      case .integer32: SF_FORMAT_PCM_32
      case .float32: SF_FORMAT_FLOAT
      case .float64: SF_FORMAT_DOUBLE
      case .muLaw: SF_FORMAT_ULAW
      case .aLaw: SF_FORMAT_ALAW
      case .vorbis: SF_FORMAT_VORBIS
      case .opus: SF_FORMAT_OPUS
      case .mp3: SF_FORMAT_MPEG_LAYER_III
      case .alac16: SF_FORMAT_ALAC_16
      case .alac24: SF_FORMAT_ALAC_24
      case .imaADPCM: SF_FORMAT_IMA_ADPCM
      case .aac: 0
      }
    return Int32(major | minor)
  }

  /// The format for libsndfile's number, or nil if it cannot be written.
  init?(code: Int32) {
    let minor = Int(code) & SF_FORMAT_SUBMASK
    var major = Int(code) & SF_FORMAT_TYPEMASK
    if major == SF_FORMAT_WAVEX { major = SF_FORMAT_WAV }
    for container in Container.allCases where container.code != 0 && container.code == major {
      for encoding in container.encodings {
        guard let format = Self.known(container, encoding) else { continue }
        let isMatch = Int(format.code(large: false)) & SF_FORMAT_SUBMASK == minor
        if isMatch {
          self = format
          return
        }
      }
    }
    return nil
  }

  private static func known(_ container: Container, _ encoding: Encoding) -> SoundFileFormat? {
    do { return try SoundFileFormat(container, encoding) } catch { return nil }
  }

  /// The format of samples in a container; nil if it cannot be written.
  init?(_ container: Container, _ layout: PCMLayout) {
    let encoding: Encoding? =
      switch layout.numbers {
      case .muLaw: .muLaw
      case .aLaw: .aLaw
      case .floating: layout.byteCount == 8 ? .float64 : .float32
      case .signed, .unsigned:
        [1: Encoding.integer8, 2: .integer16, 3: .integer24, 4: .integer32][layout.byteCount]
      }
    guard let encoding, let known = Self.known(container, encoding) else { return nil }
    self = known
  }
}
