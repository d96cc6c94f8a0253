// SPDX-License-Identifier: Apache-2.0
internal import CEBUR128
internal import CFFmpeg
internal import CSndFile
internal import CSoxr

/// A library that sound files are read, converted or measured with.
///
/// Each is opened when it is first needed; a machine may lack any of them.
public enum SoundLibrary: String, CaseIterable, Sendable {
  /// Reads and writes sound files.
  case sndfile = "libsndfile"
  /// Reads and writes what libsndfile cannot: AAC, ALAC in MP4 and many more.
  case ffmpeg = "FFmpeg"
  /// Changes the rate.
  case soxr = "libsoxr"
  /// Measures loudness.
  case ebur128 = "libebur128"

  /// The version that is installed, such as `1.2.0`; nil where the library is missing.
  ///
  /// - Note: Not real-time safe: the library is opened.
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

  /// The number in a library's own words: `libsndfile-1.2.0` is 1.2.0.
  private static func text(_ words: UnsafePointer<CChar>?) -> String? {
    unsafe words.map { String(unsafe String(cString: $0).drop { !$0.isNumber }) }
  }
}
