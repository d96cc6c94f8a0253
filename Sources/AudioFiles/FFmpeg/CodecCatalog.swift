// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg

/// Lists the FFmpeg codecs and containers that Downbeat uses, with their availability.
public enum CodecCatalog {
  /// A codec or a container.
  public struct Entry: Hashable, Sendable {
    /// The usual name of the codec or container, such as `HE-AAC`.
    public let name: String
    /// True if the installed FFmpeg includes the codec or container.
    public let isAvailable: Bool
  }

  /// The supported releases of FFmpeg, such as `4.4 to 8`.
  public static var supportedReleases: String { FFmpegLibrary.releases }

  /// The version of the installed FFmpeg if that version is not supported; otherwise nil.
  public static var unsupportedVersion: String? {
    guard unsafe cffmpeg_table() == nil else { return nil }
    return unsafe cffmpeg_refused().map { unsafe String(cString: $0) }
  }

  /// The codecs that are decoded with FFmpeg.
  public static var decoders: [Entry] {
    decoderNames.map { decoder, name in
      let found = unsafe cffmpeg_table()?.pointee.avcodec_find_decoder_by_name(decoder)
      return Entry(name: name, isAvailable: unsafe found != nil)
    }
  }

  /// The containers that are read with FFmpeg.
  public static var containers: [Entry] {
    containerNames.map { container, name in
      let found = unsafe cffmpeg_table()?.pointee.av_find_input_format(container)
      return Entry(name: name, isAvailable: unsafe found != nil)
    }
  }

  /// Returns true if a format can be written with the installed libraries.
  ///
  /// Only formats that are written with FFmpeg can be unavailable.
  ///
  /// - Parameter format: One of `SoundFileFormat.Container.allCases` with one of its encodings.
  /// - Returns: True if the required libraries and codecs are installed.
  public static func canWrite(_ format: SoundFileFormat) -> Bool {
    let recipe = EncodingRecipe(
      format, bitrate: nil, quality: nil, channelCount: 2, hertz: 48_000)
    guard let recipe else { return true }
    let found = unsafe cffmpeg_table()?.pointee.avcodec_find_encoder_by_name(recipe.encoder)
    return unsafe found != nil
  }

  private static let decoderNames = [
    ("aac", "AAC"), ("aac", "HE-AAC"), ("alac", "ALAC"), ("wmav2", "Windows Media"),
    ("ac3", "AC-3"), ("eac3", "E-AC-3"), ("dca", "DTS"), ("wavpack", "WavPack"),
    ("tta", "True Audio"), ("ape", "Monkey's Audio"),
    ("adpcm_ima_qt", "IMA ADPCM"), ("ilbc", "iLBC"), ("gsm", "GSM 6.10"), ("amrnb", "AMR-NB"),
    ("amrwb", "AMR-WB"),
  ]
  private static let containerNames = [
    ("mov", "MPEG-4"), ("mov", "QuickTime"), ("aac", "ADTS"), ("loas", "LATM"),
    ("matroska", "Matroska"), ("matroska", "WebM"), ("flv", "Flash"), ("avi", "AVI"),
    ("mpegts", "transport streams"),
  ]
}
