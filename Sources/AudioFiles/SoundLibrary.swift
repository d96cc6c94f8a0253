// SPDX-License-Identifier: Apache-2.0
internal import CEBUR128
internal import CFFmpeg
internal import CSndFile
internal import CSoxr

/// A library that reads, converts or measures sound files.
///
/// Libraries are loaded when they are first needed. All of them are optional.
public enum SoundLibrary: String, CaseIterable, Sendable {
  /// libsndfile, which reads and writes sound files.
  case sndfile = "libsndfile"
  /// FFmpeg, which reads and writes formats that libsndfile does not support, such as AAC and ALAC
  /// in MP4.
  case ffmpeg = "FFmpeg"
  /// libsoxr, which converts sample rates.
  case soxr = "libsoxr"
  /// libebur128, which measures loudness.
  case ebur128 = "libebur128"

  /// The installed version, such as `1.2.0`; nil if the library is missing.
  ///
  /// - Note: Not real-time safe: it loads the library.
  public var version: String? {
    switch self {
    case .sndfile: unsafe csndfile_table().flatMap { unsafe Self.text($0.pointee.version_string()) }
    case .ffmpeg:
      unsafe cffmpeg_table().flatMap { unsafe Self.text($0.pointee.av_version_info()) }
    case .soxr: unsafe csoxr_table().flatMap { unsafe Self.text($0.pointee.version()) }
    case .ebur128: Self.meterVersion
    }
  }

  private static var meterVersion: String? {
    guard let library = unsafe cebur128_table() else { return nil }
    var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
    unsafe library.pointee.get_version(&major, &minor, &patch)
    return "\(major).\(minor).\(patch)"
  }

  /// The number in a library's version text: `libsndfile-1.2.0` is 1.2.0.
  private static func text(_ words: UnsafePointer<CChar>?) -> String? {
    unsafe words.map { String(unsafe String(cString: $0).drop { !$0.isNumber }) }
  }
}
