// SPDX-License-Identifier: Apache-2.0
import DownbeatCommand
import Foundation
import TestSupport

/// One run of a command in this process: its output, its messages and its exit status.
///
/// Signals, terminals, pipes and variables that C libraries read need a process (`ToolRun`). If
/// `DOWNBEAT_COMMAND` names a program, that program runs instead.
struct CommandRun {
  /// The bytes written to standard output.
  let output: Data
  /// The text written to standard error.
  let errors: String
  /// The exit status.
  let status: Int32

  /// Standard output as text.
  var text: String { String(decoding: output, as: UTF8.self) }

  /// The messages without the line that reports a rendered file.
  var warnings: String {
    errors.split(separator: "\n").filter { !$0.contains(/: \d+:\d\d(\.\d)?($|, )/) }
      .map { "\($0)\n" }.joined()
  }

  private static let isCall =
    ProcessInfo.processInfo.environment["DOWNBEAT_COMMAND"] == nil && FolderThread.isAllowed

  /// Why a command could not be called.
  private struct NoFolder: Error {
    let path: String
  }

  /// Runs a command to its end.
  ///
  /// - Parameters:
  ///   - arguments: the words of the command line.
  ///   - input: the bytes of standard input.
  ///   - environment: variables set over those of the process; nil removes one.
  ///   - folder: the working directory, the folder of the package by default.
  /// - Throws: an error if the files of the streams cannot be created, or the folder is missing.
  init(
    _ arguments: [String], input: Data = Data(), environment: [String: String?] = [:],
    folder: URL = ToolRun.packageFolder
  ) throws {
    guard Self.isCall else {
      let run = try ToolRun(arguments, input: input, environment: environment, folder: folder)
      (output, errors, status) = (run.output, run.errors, run.status)
      return
    }
    let streams = try CommandStreams(input: input)
    let console = streams.console(environment)
    let end = FolderThread.call(in: folder.path) { CommandEntry.run(arguments, on: console) }
    guard let end else { throw NoFolder(path: folder.path) }
    status = end
    output = try streams.written()
    errors = String(decoding: streams.messages.bytes, as: UTF8.self)
  }
}
