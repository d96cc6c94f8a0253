// SPDX-License-Identifier: Apache-2.0
import CommandKit
import Foundation
import TestSupport

/// The streams of a command that runs in this process.
struct CommandStreams {
  let text = CollectingStream()
  let messages = CollectingStream()
  private let scratch: ScratchFolder
  private let input: FileHandle
  private let data: FileHandle

  /// Creates the streams.
  ///
  /// - Parameter bytes: the bytes of standard input.
  /// - Throws: an error if the files for them cannot be created.
  init(input bytes: Data) throws {
    scratch = try ScratchFolder()
    input = try FileHandle(
      forReadingFrom: URL(fileURLWithPath: scratch.write("in", [UInt8](bytes))))
    data = try FileHandle(forWritingTo: URL(fileURLWithPath: scratch.write("out", [])))
  }

  /// A console with these streams.
  ///
  /// - Parameter environment: variables set over those of the process; nil removes one.
  /// - Returns: the console.
  func console(_ environment: [String: String?]) -> Console {
    var variables = ToolEnvironment.variables
    // Files that are kept from run to run would change the next test.
    variables["XDG_CACHE_HOME"] = scratch.path("cache")
    variables["XDG_STATE_HOME"] = scratch.path("state")
    for (name, value) in environment { variables[name] = value }
    return Console(
      output: text, messages: messages, variables: variables,
      inputDescriptor: input.fileDescriptor, outputDescriptor: data.fileDescriptor,
      executable: ToolRun.command)
  }

  /// The bytes of standard output: lines, or else a song or a sound.
  ///
  /// - Returns: the bytes.
  /// - Throws: an error if the file cannot be read.
  func written() throws -> Data {
    try Data(text.bytes) + FileContent.data(scratch.path("out"))
  }
}
