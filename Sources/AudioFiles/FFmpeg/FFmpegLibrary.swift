// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg

/// FFmpeg's libraries, where they are needed.
enum FFmpegLibrary {
  /// The table of functions.
  ///
  /// - Throws: `SoundFileError.codecsMissing` where the libraries are missing or were not tried.
  static func table(for path: String) throws(SoundFileError) -> UnsafePointer<CFFmpegTable> {
    guard let table = unsafe cffmpeg_table() else {
      throw .codecsMissing(path: path, refused: Int(cffmpeg_refused()))
    }
    return unsafe table
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
