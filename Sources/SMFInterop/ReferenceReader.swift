// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc
public import MusicSequences

/// Asks libsmf what it reads in a file.
///
/// libsmf aborts its process on some files, valid ones among them, so it runs in a program of its
/// own; an abort is an answer like any other.
public struct ReferenceReader: Sendable {
  /// The name of the program that asks libsmf.
  public static let programName = "downbeat-smf-check"

  private let program: String
  private let seconds: Int

  /// Finds the program beside another or, where that is installed, in `../libexec/downbeat`.
  ///
  /// - Parameters:
  ///   - executable: The path of the running program.
  ///   - seconds: How long libsmf may take for one file.
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
  public init(program: String, seconds: Int = 60) {
    self.program = program
    self.seconds = seconds
  }

  /// Has libsmf read a file and compares.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the file.
  ///   - file: What we read in them.
  /// - Returns: What libsmf reads, where it reads anything, beside it.
  /// - Throws: `InteropError.cannotRun`, where the program does not start.
  /// - Complexity: O(n), but libsmf's own time grows faster on large files.
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

  /// A complaint without what comes before it: the program, or GLib's process, domain and time.
  private static func plain(_ complaint: String) -> String {
    complaint.split(separator: ": ").drop { part in
      part == programName || part.hasPrefix("(process:") || part.hasPrefix("libsmf-")
        || part.allSatisfy { $0.isNumber || $0 == ":" || $0 == "." }
    }.joined(separator: ": ")
  }
}
