// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The most memory that a process has had resident.
///
/// `getrusage` is no measure of it: Linux counts what the process had before it became this program,
/// which is all that the tests had that started it.
public enum PeakMemory {
  /// Tells the peak; the system counts it in KiB.
  ///
  /// - Parameter process: the process's number; nil for this one.
  /// - Returns: the bytes.
  /// - Throws: `CocoaError` where the system does not tell: the process has ended.
  public static func bytes(of process: Int32? = nil) throws -> Int {
    try field("VmHWM:", of: process)
  }

  /// Resets the peak of this process to the memory that is resident now.
  ///
  /// - Returns: the bytes that are resident now.
  /// - Throws: `CocoaError` where the system does not tell, or does not allow it.
  public static func restart() throws -> Int {
    try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    return try field("VmRSS:", of: nil)
  }

  private static func field(_ name: String, of process: Int32?) throws -> Int {
    let folder = process.map { "/proc/\($0)" } ?? "/proc/self"
    let status = try String(contentsOfFile: "\(folder)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
    let field = line?.split(whereSeparator: \.isWhitespace).dropFirst().first
    guard let kibibytes = field.flatMap({ Int($0) }) else { throw CocoaError(.fileReadUnknown) }
    return 1024 * kibibytes
  }
}
