// SPDX-License-Identifier: Apache-2.0
import CommandKit
import DownbeatCommand
import Synchronization

/// One run of a command in this process: its output, its messages and its exit status.
struct CommandRun {
  let output: [UInt8]
  let errors: String
  let status: Int32

  /// The output as text.
  var text: String { String(decoding: output, as: UTF8.self) }

  /// Runs a command to its end.
  ///
  /// - Parameters:
  ///   - words: the words of the command line.
  ///   - variables: the environment's variables.
  init(_ words: String..., variables: [String: String] = [:]) {
    let (output, messages) = (CollectingStream(), CollectingStream())
    status = CommandEntry.run(
      words, on: Console(output: output, messages: messages, variables: variables))
    self.output = output.bytes
    errors = String(decoding: messages.bytes, as: UTF8.self)
  }
}

/// A stream that keeps all that is written to it.
final class CollectingStream: ConsoleStream {
  private let collected = Mutex<[UInt8]>([])

  var bytes: [UInt8] { collected.withLock { $0 } }

  func write(_ bytes: UnsafeRawBufferPointer) {
    let bytes = unsafe Array(bytes)
    collected.withLock { $0 += bytes }
  }
}
