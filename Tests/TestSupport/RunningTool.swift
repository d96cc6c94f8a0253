// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Glibc

/// The built command, or another program, while it runs: to be sent a signal, and waited for.
public final class RunningTool {
  private let child: Child

  /// Starts the command.
  ///
  /// - Parameters:
  ///   - arguments: its arguments.
  ///   - input: the path of its standard input.
  ///   - environment: variables set over the process's own.
  ///   - folder: where it runs.
  ///   - errors: where its standard error goes, a file that is made.
  ///   - command: the program, by default the command that is tested.
  /// - Throws: where it cannot be started.
  public init(
    _ arguments: [String], input: String = "/dev/null", environment: [String: String] = [:],
    folder: URL, errors: String = "/dev/null", command: String = ToolRun.command
  ) throws {
    if errors != "/dev/null" { _ = FileManager.default.createFile(atPath: errors, contents: nil) }
    let variables = ToolEnvironment.variables.merging(environment) { $1 }
    child = try Child(
      command, arguments, variables: variables,
      streams: [input, "/dev/null", errors], folder: folder.path)
  }

  /// Its number among the processes.
  public var identifier: Int32 { child.identifier }

  /// Whether it sleeps in the system and has used no time for as long as `seconds`.
  public func isIdle(for seconds: Double) -> Bool {
    let first = state()
    usleep(UInt32(seconds * 1e6))
    return first != nil && first == state()
  }

  /// What the kernel says of it: the state and the time it has used; nil where it runs or is gone.
  private func state() -> [Substring]? {
    let path = "/proc/\(child.identifier)/stat"
    guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
    let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    guard words.count > 15, words[1] == "(downbeat)", words[2] == "S" else { return nil }
    return [words[2], words[13], words[14]]
  }

  /// Sends a signal.
  public func send(_ signal: Int32) {
    kill(child.identifier, signal)
  }

  /// Waits for an end of its own, for at most a minute.
  ///
  /// - Returns: the exit status, or nil where a signal ended it.
  /// - Throws: where it had to be killed.
  public func end() throws -> Int32? {
    let end = try child.wait(seconds: 60)
    return end.wasSignalled ? nil : end.status
  }

  /// Sends a signal and waits for the end, for at most a minute.
  ///
  /// - Returns: the signal that ended it, or nil; and how long that took.
  /// - Throws: where it had to be killed.
  public func end(by signal: Int32) throws -> (signal: Int32?, time: Duration) {
    let sent = ContinuousClock.now
    send(signal)
    let end = try child.wait(seconds: 60)
    return (end.wasSignalled ? end.status : nil, ContinuousClock.now - sent)
  }
}
