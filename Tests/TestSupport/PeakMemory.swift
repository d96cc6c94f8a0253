// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The most memory that this process has had resident.
///
/// `getrusage` is no measure of it: Linux counts what the process had before it became this program,
/// which is all that the tests had that began it.
public enum PeakMemory {
  /// The peak, in bytes; the system counts it in KiB.
  ///
  /// - Throws: `CocoaError` where the system does not tell.
  public static func bytes() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let field = line?.split(whereSeparator: \.isWhitespace).dropFirst().first
    guard let kibibytes = field.flatMap({ Int($0) }) else { throw CocoaError(.fileReadUnknown) }
    return 1024 * kibibytes
  }
}
