// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg

/// Access to FFmpeg's libraries.
enum FFmpegLibrary {
  /// The table of FFmpeg's functions.
  ///
  /// - Throws: `SoundFileError.codecsMissing` if the libraries are missing or their release is not
  ///   supported.
  static func table(for path: String) throws(SoundFileError) -> UnsafePointer<CFFmpegTable> {
    guard let table = unsafe cffmpeg_table() else {
      let found = unsafe cffmpeg_refused().map { unsafe String(cString: $0) }
      throw .codecsMissing(path: path, found: found)
    }
    return unsafe table
  }

  /// Loads the libraries if they are installed; once per process.
  static func load() { _ = unsafe cffmpeg_table() }

  /// The supported releases, such as `4.4 to 8`.
  static var releases: String {
    let names = unsafe [cffmpeg_releases(0), cffmpeg_releases(1)]
      .map { unsafe $0.map { unsafe String(cString: $0) } ?? "" }
    return "\(names[0]) to \(names[1].prefix { $0 != "." })"
  }

  /// The priming frames of Windows Media that FFmpeg before 5.0 does not skip.
  ///
  /// Source: FFmpeg's libavcodec/wma.c and wmadec.c.
  static func primingKept(of codec: String, hertz: Int) -> Int64 {
    guard codec == "wmav1" || codec == "wmav2", let table = unsafe cffmpeg_table(),
      unsafe table.pointee.avcodec_version() >> 16 < 59
    else { return 0 }
    return switch hertz {
    case ...16_000: 1024
    case ...22_050: 2048
    case ...32_000 where codec == "wmav1": 2048
    default: 4096
    }
  }

  /// FFmpeg's text for an error code, in lower case.
  static func reason(_ code: Int32) -> String {
    guard let table = unsafe cffmpeg_table() else { return "error \(code)" }
    var text = [CChar](repeating: 0, count: 128)
    guard unsafe table.pointee.av_strerror(code, &text, text.count) == 0 else {
      return "error \(code)"
    }
    let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self).lowercased()
  }

  /// The code of a call that needs more input before it can return output.
  static let again: Int32 = -11
  /// The code of a call with an invalid argument.
  static let impossible: Int32 = -22
}
