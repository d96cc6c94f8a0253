// SPDX-License-Identifier: Apache-2.0
package import AudioFiles
package import CCoreAudio

extension SoundCodec {
  /// Creates the codec of a format's id.
  ///
  /// The ids of encodings in WAVE files (`kAudioFormatDVIIntelIMA`, `kAudioFormatMicrosoftGSM`) are
  /// those of the codecs.
  ///
  /// - Parameter formatID: the id; four letters as a rule.
  package init(formatID: AudioFormatID) {
    switch formatID {
    case kAudioFormatMicrosoftGSM: self = .gsm
    case Self.vorbisID: self = .vorbis
    default:
      let letters = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: formatID >> UInt32($0)) }
      self.init(rawValue: String(letters.map { Character(UnicodeScalar($0)) }))
    }
  }

  /// The id of the codec's format: the first four letters of its code.
  package var formatID: AudioFormatID {
    switch self {
    case .gsm: return kAudioFormatMicrosoftGSM
    case .vorbis: return Self.vorbisID
    default:
      let letters = rawValue.unicodeScalars.prefix(4).map { UInt32($0.value & 0xFF) }
      return (letters + [0x20, 0x20, 0x20, 0x20]).prefix(4).reduce(0) { $0 << 8 | $1 }
    }
  }

  /// Core Audio does not have an id for Vorbis; this is the word in Core Media.
  private static let vorbisID: AudioFormatID = 0x766F_7262

  /// True if the samples are stored one by one: PCM, μ-law and A-law.
  package var isSampled: Bool { [.linearPCM, .muLaw, .aLaw].contains(self) }
}
