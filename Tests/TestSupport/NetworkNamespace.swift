// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Testing

/// A separate network for a process, with only the loopback interface, enabled and with multicast.
public enum NetworkNamespace {
  private static let mark = "DOWNBEAT_OWN_NETWORK"

  /// The words before a command that run it and its child processes in a separate network.
  ///
  /// Root keeps its user identifier if possible, so that a daemon can change to another user.
  public static let words =
    ["/usr/bin/unshare"] + (isPlain ? [] : ["--map-root-user"]) + [
      "--net", "/bin/sh", "-c",
      "ip link set lo up multicast on && ip route add 224.0.0.0/4 dev lo && exec \"$@\"", "alone",
    ]

  private static let isPlain: Bool = {
    do {
      return try ToolRun(["--net", "/bin/true"], command: "/usr/bin/unshare").status == 0
    } catch {
      return false
    }
  }()

  /// True if this process runs in a separate network.
  public static let isOwn = ProcessInfo.processInfo.environment[mark] != nil

  /// The reason for which suites that use a network are skipped elsewhere.
  public static let reason: Comment = "run in a separate network by another test"

  /// Runs the suites of a test target again, in a separate network.
  ///
  /// - Parameters:
  ///   - target: The name of the test target.
  ///   - limit: The seconds after which it is killed.
  /// - Returns: The output of the run, and its status.
  /// - Throws: An error if it cannot be started.
  public static func run(_ target: String, limit: Int = 300) throws -> ToolRun {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let words = words + [tests, "--testing-library", "swift-testing", "--filter", "^\(target)\\."]
    return try ToolRun(
      Array(words.dropFirst()), environment: [mark: "1"], command: words[0], limit: limit)
  }
}
