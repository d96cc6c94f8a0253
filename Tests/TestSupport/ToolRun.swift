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

  /// The command as `swift build` leaves it beside the tests.
  public static let debugCommand = productFolder.appendingPathComponent("downbeat").path

  /// The package's folder.
  public static let packageFolder: URL = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The command in release form, as `make build` leaves it.
  public static let releaseCommand =
    packageFolder.appendingPathComponent(".build/release/downbeat").path

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
  ///   - command: the program, the debug command by default.
  ///   - folder: where it runs, the package's folder by default.
  /// - Throws: where the command is not there or cannot be started.
  public init(
    _ arguments: [String], input: Data = Data(), environment: [String: String?] = [:],
    command: String = ToolRun.debugCommand, folder: URL = ToolRun.packageFolder
  ) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    var variables = ProcessInfo.processInfo.environment
    for (name, value) in environment { variables[name] = value }
    process.environment = variables
    // Files rather than pipes: a full pipe would stop the command, a file never does.
    let scratch = try ScratchFolder()
    let streams = ["in", "out", "err"].map(scratch.url.appendingPathComponent)
    for stream in streams { try Data().write(to: stream) }
    try input.write(to: streams[0])
    process.standardInput = try FileHandle(forReadingFrom: streams[0])
    process.standardOutput = try FileHandle(forWritingTo: streams[1])
    process.standardError = try FileHandle(forWritingTo: streams[2])
    try process.run()
    process.waitUntilExit()
    output = try Data(contentsOf: streams[1])
    errors = String(decoding: try Data(contentsOf: streams[2]), as: UTF8.self)
    status = process.terminationStatus
    wasSignalled = process.terminationReason == .uncaughtSignal
  }
}
