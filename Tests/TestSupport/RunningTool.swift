// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Glibc

/// The built command, or another program, while it runs, so that a test can send signals and wait
/// for its end.
public final class RunningTool {
  private let child: Child

  /// Starts the command.
  ///
  /// - Parameters:
  ///   - arguments: The arguments.
  ///   - input: The path of its standard input.
  ///   - environment: Variables that replace those of the process.
  ///   - folder: The working folder.
  ///   - errors: The file for its standard error, which is created.
  ///   - command: The program; by default the command under test.
  /// - Throws: An error if it cannot be started.
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

  /// The process identifier.
  public var identifier: Int32 { child.identifier }

  /// Returns true if it sleeps in the system and does not use processor time for `seconds`.
  public func isIdle(for seconds: Double) -> Bool {
    let first = state()
    usleep(UInt32(seconds * 1e6))
    return first != nil && first == state()
  }

  /// The state and the processor time from the kernel; nil if it runs or has ended.
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

  /// Waits for its end without a signal, for at most a minute.
  ///
  /// - Returns: The exit status, or nil if a signal ended it.
  /// - Throws: An error if it had to be killed.
  public func end() throws -> Int32? {
    let end = try child.wait(seconds: 60)
    return end.wasSignalled ? nil : end.status
  }

  /// Sends a signal and waits for the end, for at most a minute.
  ///
  /// - Returns: The signal that ended it, or nil; and the time until its end.
  /// - Throws: An error if it had to be killed.
  public func end(by signal: Int32) throws -> (signal: Int32?, time: Duration) {
    let sent = ContinuousClock.now
    send(signal)
    let end = try child.wait(seconds: 60)
    return (end.wasSignalled ? end.status : nil, ContinuousClock.now - sent)
  }
}
