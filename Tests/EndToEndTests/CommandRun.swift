// SPDX-License-Identifier: Apache-2.0
import CommandKit
import DownbeatCommand
import Foundation
import TestSupport

/// One run of a command in this process: its output, its messages and its exit status.
///
/// Signals, terminals, pipes, other folders and variables that C libraries read need a process
/// (`ToolRun`). If `DOWNBEAT_COMMAND` names a program, that program runs instead.
struct CommandRun {
  /// The bytes written to standard output.
  let output: Data
  /// The text written to standard error.
  let errors: String
  /// The exit status.
  let status: Int32

  /// Standard output as text.
  var text: String { String(decoding: output, as: UTF8.self) }

  /// Relative paths are paths in the package, as in `ToolRun`.
  private static let isInPackageFolder = FileManager.default.changeCurrentDirectoryPath(
    ToolRun.packageFolder.path)

  private static let isOwnCommand =
    ProcessInfo.processInfo.environment["DOWNBEAT_COMMAND"] == nil

  /// Runs a command to its end.
  ///
  /// - Parameters:
  ///   - arguments: the words of the command line.
  ///   - input: the bytes of standard input.
  ///   - environment: variables set over those of the process; nil removes one.
  /// - Throws: an error if the files of the streams cannot be created.
  init(
    _ arguments: [String], input: Data = Data(), environment: [String: String?] = [:]
  ) throws {
    guard Self.isOwnCommand else {
      let run = try ToolRun(arguments, input: input, environment: environment)
      (output, errors, status) = (run.output, run.errors, run.status)
      return
    }
    precondition(Self.isInPackageFolder)
    let streams = try CommandStreams(input: input)
    status = CommandEntry.run(arguments, on: streams.console(environment))
    output = try streams.written()
    errors = String(decoding: streams.messages.bytes, as: UTF8.self)
  }
}
