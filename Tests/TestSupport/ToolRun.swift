// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// One run of the built command, with its output and its status.
public struct ToolRun: Sendable {
  /// The bytes of standard output.
  public let output: Data
  /// The text of standard error.
  public let errors: String
  /// The exit status, or the number of the signal that ended the command.
  public let status: Int32
  /// True if a signal ended the command.
  public let wasSignalled: Bool

  /// Standard output as text.
  public var text: String { String(decoding: output, as: UTF8.self) }

  /// The command under test: the one built with the tests, or the one in `DOWNBEAT_COMMAND`.
  public static let command =
    ProcessInfo.processInfo.environment["DOWNBEAT_COMMAND"] ?? program("downbeat")

  /// The path of a program that is built with the tests.
  public static func program(_ name: String) -> String {
    productFolder.appendingPathComponent(name).path
  }

  /// The package's folder.
  public static let packageFolder: URL = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static let productFolder: URL = {
    for argument in CommandLine.arguments where argument.hasSuffix(".xctest") {
      return URL(fileURLWithPath: argument).deletingLastPathComponent()
    }
    return URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
  }()

  /// Runs the command to its end.
  ///
  /// - Parameters:
  ///   - arguments: The arguments.
  ///   - input: The standard input.
  ///   - environment: Variables that replace those of the process; nil removes one.
  ///   - command: The program; by default the command under test.
  ///   - folder: The working folder; the package's folder by default.
  ///   - limit: The seconds after which it is killed.
  /// - Throws: An error if the command does not exist or cannot be started.
  public init(
    _ arguments: [String], input: Data = Data(), environment: [String: String?] = [:],
    command: String = ToolRun.command, folder: URL = ToolRun.packageFolder, limit: Int = 300
  ) throws {
    let scratch = try ScratchFolder()
    // Files instead of pipes, because a full pipe would block the command.
    let streams = ["in", "out", "err"].map(scratch.path)
    for stream in streams { try Data().write(to: URL(fileURLWithPath: stream)) }
    try input.write(to: URL(fileURLWithPath: streams[0]))
    var variables = ToolEnvironment.variables
    // State that the command stores must not affect the next test.
    variables["XDG_CACHE_HOME"] = scratch.path("cache")
    variables["XDG_STATE_HOME"] = scratch.path("state")
    for (name, value) in environment { variables[name] = value }
    let child = try Child(
      command, arguments, variables: variables, streams: streams, folder: folder.path)
    let end: (status: Int32, wasSignalled: Bool)
    do { end = try child.wait(seconds: limit) } catch {
      // The output shows the position at which it waited.
      let said = try streams.dropFirst().map {
        String(decoding: try FileContent.data($0).suffix(2_000), as: UTF8.self)
      }
      throw Child.Failure(description: "\(error):\n\(said.joined(separator: "\n"))")
    }
    output = try FileContent.data(streams[1])
    errors = String(decoding: try FileContent.data(streams[2]), as: UTF8.self)
    status = end.status
    wasSignalled = end.wasSignalled
  }
}
