// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Testing

/// A network of a process's own, with nothing but the loopback interface, up and with multicast.
public enum NetworkNamespace {
  private static let mark = "DOWNBEAT_OWN_NETWORK"

  /// What stands before the words of a command so that it runs in one, with all that it starts.
  ///
  /// Root stays who it is where it may: a daemon that is to be another user finds it then.
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

  /// Whether this process runs in one.
  public static let isOwn = ProcessInfo.processInfo.environment[mark] != nil

  /// Why a suite that uses a network is skipped elsewhere.
  public static let reason: Comment = "run in a network of its own by another test"

  /// Runs the suites of a test target once more, in a network of their own.
  ///
  /// - Parameters:
  ///   - target: The test target's name.
  ///   - limit: Seconds after which it is killed.
  /// - Returns: What the run said, and how it ended.
  /// - Throws: Where it cannot be started.
  public static func run(_ target: String, limit: Int = 300) throws -> ToolRun {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let words = words + [tests, "--testing-library", "swift-testing", "--filter", "^\(target)\\."]
    return try ToolRun(
      Array(words.dropFirst()), environment: [mark: "1"], command: words[0], limit: limit)
  }
}
