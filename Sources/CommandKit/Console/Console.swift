// SPDX-License-Identifier: Apache-2.0
internal import Downbeat
internal import Synchronization

/// The streams of one run of a command, and the state of its output.
///
/// A command runs with `Console.current` set to its console. Several commands can therefore run at
/// the same time with different streams and variables, and a test can read what a command prints
/// without starting a process. A thread that a command starts has the process's console, unless
/// `withValue` passes the command's console on.
///
/// - Note: Any thread.
package final class Console: Sendable {
  /// The console of the command that runs on this thread or task.
  @TaskLocal package static var current = process

  /// The console of this process: its standard streams, environment variables and signals.
  package static let process = Console(
    output: StandardStream.output, messages: StandardStream.messages, variables: nil)

  let output: any ConsoleStream
  let messages: any ConsoleStream
  /// The descriptor of standard input.
  package let inputDescriptor: Int32
  /// The descriptor of standard output, to which songs and sounds are written.
  package let outputDescriptor: Int32
  /// The environment variables; nil for those of the process.
  let variables: [String: String]?

  /// The first error of the output; later writes fail with the same error.
  private let failure = Mutex<Failure?>(nil)
  /// The report of `--json`; nil if nothing is reported.
  let report = Mutex<JSONReport.Run?>(nil)
  /// Lines kept while a picture is shown; nil if lines are printed at once.
  let heldLines = Mutex<[String]?>(nil)
  /// The lines of progress and status, which are drawn again in place.
  let statusLines = Mutex<[StatusLine.Line]>([])
  /// The decoder for all texts, if an encoding was named; nil to guess.
  let namedDecoder = Mutex<TextDecoder?>(nil)
  /// Words of the command line that are not ASCII, as `LocaleText` stores them.
  let typedNames = Mutex<Set<String>>([])
  /// The number of progress bars so far.
  let barCount = Atomic(0)
  private let values = Mutex<[String: any Sendable]>([:])
  /// The path of the command's program, which it starts for plug-ins; nil for the process's own.
  let executable: String?

  /// Creates a console.
  ///
  /// - Parameters:
  ///   - output: The stream of data.
  ///   - messages: The stream of messages for the user.
  ///   - variables: The environment variables; nil for those of the process.
  ///   - inputDescriptor: The descriptor of standard input.
  ///   - outputDescriptor: The descriptor of standard output, to which songs and sounds are
  ///     written.
  ///   - executable: The path of the command's program; nil, the default, for the process's own.
  package init(
    output: any ConsoleStream, messages: any ConsoleStream, variables: [String: String]?,
    inputDescriptor: Int32 = 0, outputDescriptor: Int32 = 1, executable: String? = nil
  ) {
    self.output = output
    self.messages = messages
    self.inputDescriptor = inputDescriptor
    self.outputDescriptor = outputDescriptor
    self.executable = executable
    self.variables = variables
  }

  /// True if signals of the process end the command, and its end is the end of the process.
  package var isProcess: Bool { self === Self.process }

  /// True if the output is a terminal.
  package var isOutputTerminal: Bool { output.isTerminal }

  /// Returns true the first time that it is called with a key.
  package func isFirst(_ key: String) -> Bool {
    values.withLock { $0.updateValue(true, forKey: key) == nil }
  }

  /// Returns a value that is created once for the whole run of a command.
  ///
  /// - Parameters:
  ///   - key: The name of the value; each name has one type of value.
  ///   - make: Creates the value. Two threads may call it at the same time; the first result is
  ///     used.
  /// - Returns: The value.
  package func once<Value: Sendable>(_ key: String, _ make: () throws -> Value) rethrows -> Value {
    if let known = values.withLock({ $0[key] }) as? Value { return known }
    let value = try make()
    return values.withLock { values in
      if let known = values[key] as? Value { return known }
      values[key] = value
      return value
    }
  }

  /// Prints a message on this console, from a thread that has another one.
  package func say(_ line: String) {
    Self.$current.withValue(self) { Terminal.say(line) }
  }

  /// Writes bytes to the output.
  ///
  /// - Throws: `Failure` with exit status 74, now and in every later call.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    if let failure = failure.withLock({ $0 }) { throw failure }
    try keepingFailure { () throws(Failure) in try unsafe output.write(bytes) }
  }

  /// Writes text to the output unchanged.
  package func write(_ text: String) throws(Failure) {
    var text = text
    // The closure of `withUTF8` cannot throw a typed error.
    let result = text.withUTF8 { bytes in
      Result { () throws(Failure) in try unsafe write(UnsafeRawBufferPointer(bytes)) }
    }
    try result.get()
  }

  /// Closes the output, which may report an error of earlier writes.
  ///
  /// - Throws: `Failure` with exit status 74 if anything was lost.
  package func finish() throws(Failure) {
    if let failure = failure.withLock({ $0 }) { throw failure }
    try keepingFailure { () throws(Failure) in try output.finish() }
  }

  private func keepingFailure(_ write: () throws(Failure) -> Void) throws(Failure) {
    do throws(Failure) {
      try write()
    } catch {
      failure.withLock { $0 = $0 ?? error }
      throw error
    }
  }
}
