// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc
public import MusicSequences

/// Reads files with libsmf, to compare the result with Downbeat's.
///
/// Some files, including valid ones, make libsmf abort its process, so it runs in a separate
/// program. An abort is an ordinary result, not an error.
public struct ReferenceReader: Sendable {
  /// The name of the helper program that calls libsmf.
  public static let programName = "downbeat-smf-check"

  private let program: String
  private let seconds: Int

  /// Creates a reader, and finds the helper program in the folder of another program or in
  /// `../libexec/downbeat`.
  ///
  /// - Parameters:
  ///   - executable: The path of the other program, usually the one that is running.
  ///   - seconds: The time limit for one file; 60 s by default.
  /// - Throws: `InteropError.programMissing` if the helper program is not found.
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

  /// Creates a reader with the helper program at a path.
  ///
  /// - Parameters:
  ///   - program: The path of the helper program.
  ///   - seconds: The time limit for one file; 60 s by default.
  public init(program: String, seconds: Int = 60) {
    self.program = program
    self.seconds = seconds
  }

  /// Reads a file with libsmf, and compares the result with that of `SMFReader`.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the file.
  ///   - file: The contents of the file, as read by `SMFReader`.
  /// - Returns: The outcome and the differences.
  /// - Throws: `InteropError.cannotRun` if the helper program cannot be started.
  /// - Complexity: O(n), but the time that libsmf needs grows faster than the size of the file.
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
