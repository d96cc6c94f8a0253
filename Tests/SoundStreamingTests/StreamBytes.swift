// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A sine, encoded by FFmpeg's program during the test.
enum StreamBytes {
  static let isInstalled = FileManager.default.fileExists(atPath: "/usr/bin/ffmpeg")

  struct Failure: Error {
    let text: String
  }

  /// A tone of some seconds, in the format of the arguments.
  static func tone(
    _ suffix: String, seconds: Int, _ arguments: String..., hertz: Int = 44_100
  ) throws -> [UInt8] {
    try tone(suffix, seconds: seconds, arguments, hertz: hertz)
  }

  static func tone(
    _ suffix: String, seconds: Int, _ arguments: [String], hertz: Int = 44_100
  ) throws -> [UInt8] {
    let folder = try ScratchFolder()
    let path = folder.path("tone.\(suffix)")
    let words = [
      "-v", "error", "-y", "-f", "lavfi", "-i",
      "sine=frequency=441:sample_rate=\(hertz):duration=\(seconds)", "-af", "volume=8",
    ]
    let run = try ToolRun(words + arguments + [path], command: "/usr/bin/ffmpeg")
    guard run.status == 0 else { throw Failure(text: run.errors) }
    return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// 64 kbit/s: 8000 bytes per second.
  static func mp3(seconds: Int) throws -> [UInt8] {
    try tone("mp3", seconds: seconds, "-c:a", "libmp3lame", "-b:a", "64k", "-write_xing", "0")
  }
}
