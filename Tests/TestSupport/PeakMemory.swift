// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The maximum resident memory of a process.
///
/// `getrusage` does not measure it: Linux includes the memory of the process before it became this
/// program, which is that of the tests that started it.
public enum PeakMemory {
  /// Returns the maximum, which the system counts in KiB.
  ///
  /// - Parameter process: The number of the process; nil for this one.
  /// - Returns: The number of bytes.
  /// - Throws: `CocoaError` if the process has ended.
  public static func bytes(of process: Int32? = nil) throws -> Int {
    try field("VmHWM:", of: process)
  }

  /// Resets the maximum of this process to the current resident memory.
  ///
  /// - Returns: The current number of resident bytes.
  /// - Throws: `CocoaError` if the system does not allow it.
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
