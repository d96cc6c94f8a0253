// SPDX-License-Identifier: Apache-2.0
internal import CSndFile

extension MemorySound {
  /// A codec of sounds in memory.
  package enum Codec: Sendable {
    /// Vorbis in Ogg.
    case vorbis
    /// Opus in Ogg, since libsndfile 1.0.29.
    case opus
    /// Native FLAC.
    case flac
  }

  /// Returns true if libsndfile is installed and supports a codec.
  ///
  /// - Note: Not real-time safe: it loads the library.
  package static func canRead(_ codec: Codec) -> Bool {
    switch codec {
    case .flac: containers.contains(SF_FORMAT_FLAC)
    case .vorbis: containers.contains(SF_FORMAT_OGG) && encodings.contains(SF_FORMAT_VORBIS)
    case .opus: containers.contains(SF_FORMAT_OGG) && encodings.contains(SF_FORMAT_OPUS)
    }
  }

  private static let containers = Set(
    SoundFileHandle.formats(count: SFC_GET_FORMAT_MAJOR_COUNT, get: SFC_GET_FORMAT_MAJOR)
      .map(\.code))
  private static let encodings = Set(
    SoundFileHandle.formats(
      count: SFC_GET_FORMAT_SUBTYPE_COUNT, get: SFC_GET_FORMAT_SUBTYPE
    ).map(\.code))
}
