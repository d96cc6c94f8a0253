// SPDX-License-Identifier: Apache-2.0
internal import AudioToolboxFiles
internal import CoreAudio

/// A file type, identified by its uniform type identifier.
public struct AVFileType: RawRepresentable, Hashable, Sendable {
  /// The uniform type identifier.
  public let rawValue: String

  /// Creates a file type.
  ///
  /// - Parameter rawValue: The uniform type identifier.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates a file type.
  ///
  /// - Parameter rawValue: The uniform type identifier.
  public init(_ rawValue: String) { self.init(rawValue: rawValue) }

  /// MPEG-4 audio (.m4a).
  public static let m4a = AVFileType("com.apple.m4a-audio")
  /// MPEG-4; files of this type are written with audio only.
  public static let mp4 = AVFileType("public.mpeg-4")
  /// QuickTime movie; files of this type cannot be written.
  public static let mov = AVFileType("com.apple.quicktime-movie")
  /// MPEG-4 video; files of this type cannot be written.
  public static let m4v = AVFileType("com.apple.m4v-video")
  /// Core Audio Format (CAF).
  public static let caf = AVFileType("com.apple.coreaudio-format")
  /// WAVE.
  public static let wav = AVFileType("com.microsoft.waveform-audio")
  /// AIFF.
  public static let aiff = AVFileType("public.aiff-audio")
  /// AIFF-C.
  public static let aifc = AVFileType("public.aifc-audio")
  /// MP3.
  public static let mp3 = AVFileType("public.mp3")
  /// The AU format of Sun and NeXT.
  public static let au = AVFileType("public.au-audio")
  /// AC-3.
  public static let ac3 = AVFileType("public.ac3-audio")
  /// E-AC-3.
  public static let eac3 = AVFileType("public.enhanced-ac3-audio")
  /// AMR.
  public static let amr = AVFileType("org.3gpp.adaptive-multi-rate-audio")

  /// The kind of sound file; nil if it is not written.
  var kind: SoundFileKind? {
    SoundFileKind.all.first { $0.container != nil && $0.typeIdentifiers.contains(rawValue) }
  }

  /// The type of a kind of sound file.
  init?(_ kind: SoundFileKind) {
    guard let name = kind.typeIdentifiers.first else { return nil }
    self.init(name)
  }
}
