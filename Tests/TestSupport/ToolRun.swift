// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// One run of the built command: what it was given, what it said, and how it ended.
public struct ToolRun: Sendable {
  /// What it wrote to standard output.
  public let output: Data
  /// What it wrote to standard error.
  public let errors: String
  /// The exit status, or the number of the signal that ended it.
  public let status: Int32
  /// Whether a signal ended it.
  public let wasSignalled: Bool

  /// Standard output as text.
  public var text: String { String(decoding: output, as: UTF8.self) }

  /// The command that is tested: the one beside the tests, or another by `DOWNBEAT_COMMAND`.
  public static let command =
    ProcessInfo.processInfo.environment["DOWNBEAT_COMMAND"] ?? program("downbeat")

  /// The path of a program that is built beside the tests.
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
  ///   - arguments: its arguments.
  ///   - input: what it reads on standard input.
  ///   - environment: variables set over the process's own; nil takes one away.
  ///   - command: the program, by default the command that is tested.
  ///   - folder: where it runs, the package's folder by default.
  ///   - limit: seconds after which it is killed.
  /// - Throws: where the command is not there or cannot be started.
  public init(
    _ arguments: [String], input: Data = Data(), environment: [String: String?] = [:],
    command: String = ToolRun.command, folder: URL = ToolRun.packageFolder, limit: Int = 300
  ) throws {
    let scratch = try ScratchFolder()
    // Files rather than pipes: a full pipe would stop the command, a file never does.
    let streams = ["in", "out", "err"].map(scratch.path)
    for stream in streams { try Data().write(to: URL(fileURLWithPath: stream)) }
    try input.write(to: URL(fileURLWithPath: streams[0]))
    var variables = ToolEnvironment.variables
    // What is kept from run to run would tell on the next test.
    variables["XDG_CACHE_HOME"] = scratch.path("cache")
    variables["XDG_STATE_HOME"] = scratch.path("state")
    for (name, value) in environment { variables[name] = value }
    let child = try Child(
      command, arguments, variables: variables, streams: streams, folder: folder.path)
    let end: (status: Int32, wasSignalled: Bool)
    do { end = try child.wait(seconds: limit) } catch {
      // What it said tells where it waited.
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
