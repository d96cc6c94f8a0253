// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg

/// FFmpeg's libraries, where they are needed.
enum FFmpegLibrary {
  /// The table of functions.
  ///
  /// - Throws: `SoundFileError.codecsMissing` where the libraries are missing, or of no release that is supported.
  static func table(for path: String) throws(SoundFileError) -> UnsafePointer<CFFmpegTable> {
    guard let table = unsafe cffmpeg_table() else {
      let found = unsafe cffmpeg_refused().map { unsafe String(cString: $0) }
      throw .codecsMissing(path: path, found: found)
    }
    return unsafe table
  }

  /// Loads the libraries if they are there; once per process.
  static func load() { _ = unsafe cffmpeg_table() }

  /// The releases that are supported, such as `4.4 to 8`.
  static var releases: String {
    let names = unsafe [cffmpeg_releases(0), cffmpeg_releases(1)]
      .map { unsafe $0.map { unsafe String(cString: $0) } ?? "" }
    return "\(names[0]) to \(names[1].prefix { $0 != "." })"
  }

  /// Frames of Windows Media before the sound that FFmpeg does not leave out itself: before 5.0.
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

  /// FFmpeg's words for a code, in lower case.
  static func reason(_ code: Int32) -> String {
    guard let table = unsafe cffmpeg_table() else { return "error \(code)" }
    var text = [CChar](repeating: 0, count: 128)
    guard unsafe table.pointee.av_strerror(code, &text, text.count) == 0 else {
      return "error \(code)"
    }
    let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self).lowercased()
  }

  /// What a call returns that needs more before it can give anything.
  static let again: Int32 = -11
  /// What a call returns that is asked for something that there is not.
  static let impossible: Int32 = -22
}
