// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc
public import MusicSequences

/// Reads files with libsmf, for comparison.
///
/// libsmf aborts its process on some files, including valid ones, so it runs in a separate program.
/// An abort is an ordinary result.
public struct ReferenceReader: Sendable {
  /// The name of the program that calls libsmf.
  public static let programName = "downbeat-smf-check"

  private let program: String
  private let seconds: Int

  /// Finds the program in the folder of another program or in `../libexec/downbeat`.
  ///
  /// - Parameters:
  ///   - executable: The path of the running program.
  ///   - seconds: The time limit for one file; 60 s by default.
  /// - Throws: `InteropError.programMissing`.
  public init(besides executable: String, seconds: Int = 60) throws(InteropError) {
    let end = executable.lastIndex(of: "/") ?? executable.startIndex
    let folder = executable[..<end]
    let places = [
      "\(folder)/\(Self.programName)", "\(folder)/../libexec/downbeat/\(Self.programName)",
    ]
    let canRun = { (path: String) in path.withSystemPath { unsafe access($0, X_OK) } == 0 }
    guard let found = places.first(where: canRun) else {
      throw .programMissing(places)
    }
    self.init(program: found, seconds: seconds)
  }

  /// Uses a program at a path.
  ///
  /// - Parameters:
  ///   - program: The path.
  ///   - seconds: The time limit for one file; 60 s by default.
  public init(program: String, seconds: Int = 60) {
    self.program = program
    self.seconds = seconds
  }

  /// Reads a file with libsmf, and compares the result.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the file.
  ///   - file: The result of reading them with `SMFReader`.
  /// - Returns: The result of libsmf and the differences.
  /// - Throws: `InteropError.cannotRun` if the program does not start.
  /// - Complexity: O(n), but libsmf takes disproportionately longer for large files.
  public func opinion(
    on bytes: [UInt8], against file: SequenceFile
  ) throws(InteropError) -> SecondOpinion {
    var comparison = Comparison(file)
    var child = try ChildProcess.start(program, input: bytes)
    let end = try child.run(seconds: seconds) { comparison.take($0) }
    switch end {
    case .exited(0): return comparison.opinion()
    case .exited(126), .exited(127):
      throw .cannotRun(program: program, reason: child.complaint)
    case .exited: return comparison.refusal(.refuses(Self.plain(child.complaint)))
    case .killed(let signal):
      return comparison.refusal(.crashes(signal: signal, Self.plain(child.complaint)))
    case .timedOut: return comparison.refusal(.tooSlow)
    }
  }

  /// The message without its prefix: the program, or GLib's process, domain and time.
  private static func plain(_ complaint: String) -> String {
    complaint.split(separator: ": ").drop { part in
      part == programName || part.hasPrefix("(process:") || part.hasPrefix("libsmf-")
        || part.allSatisfy { $0.isNumber || $0 == ":" || $0 == "." }
    }.joined(separator: ": ")
  }
}
