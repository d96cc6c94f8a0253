// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// FFmpeg's programs, which create and examine sound files.
package enum FFmpegWitness {
  package static let isInstalled = FileManager.default.fileExists(atPath: "/usr/bin/ffmpeg")

  package struct Failure: Error {
    package let text: String
  }

  /// Converts a file to another; the arguments are placed between the two names.
  package static func make(_ target: String, from source: String, _ arguments: String...) throws {
    try run(["-i", source] + arguments + [target])
  }

  package static func run(_ arguments: [String]) throws {
    let run = try ToolRun(["-v", "error", "-y"] + arguments, command: "/usr/bin/ffmpeg")
    guard run.status == 0 else { throw Failure(text: run.errors) }
  }

  /// The bytes that FFmpeg writes to a pipe.
  package static func output(_ arguments: [String]) throws -> [UInt8] {
    let run = try ToolRun(["-v", "error"] + arguments, command: "/usr/bin/ffmpeg")
    guard run.status == 0 else { throw Failure(text: run.errors) }
    return [UInt8](run.output)
  }

  /// The samples that FFmpeg decodes from a file.
  package static func samples(_ path: String) throws -> [Float] {
    let run = try ToolRun(
      ["-v", "error", "-i", path, "-f", "f32le", "-"], command: "/usr/bin/ffmpeg")
    guard run.status == 0 else { throw Failure(text: run.errors) }
    return unsafe run.output.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
  }

  package struct Packet: Equatable {
    package var offset: Int64
    package var byteCount: Int

    package init(offset: Int64, byteCount: Int) {
      self.offset = offset
      self.byteCount = byteCount
    }
  }

  /// The positions and sizes of a file's packets.
  package static func packets(_ path: String) throws -> [Packet] {
    let run = try ToolRun(
      ["-v", "error", "-show_entries", "packet=size,pos", "-of", "csv=p=0", path],
      command: "/usr/bin/ffprobe")
    return run.text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: ",")
      guard words.count >= 2, let size = Int(words[0]), let offset = Int64(words[1]) else {
        return nil
      }
      return Packet(offset: offset, byteCount: size)
    }
  }

  /// A property of a file as printed by ffprobe, by the name of its entry.
  package static func text(_ entry: String, of path: String) throws -> String {
    let run = try ToolRun(
      ["-v", "error", "-show_entries", entry, "-of", "default=nw=1:nk=1", path],
      command: "/usr/bin/ffprobe")
    return run.text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The length of a file's sound in frames, from ffprobe.
  package static func durationInFrames(_ path: String) throws -> Int? {
    let run = try ToolRun(
      ["-v", "error", "-show_entries", "stream=duration_ts", "-of", "csv=p=0", path],
      command: "/usr/bin/ffprobe")
    return Int(run.text.trimmingCharacters(in: .whitespacesAndNewlines))
  }
}
