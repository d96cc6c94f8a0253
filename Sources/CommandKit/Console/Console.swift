// SPDX-License-Identifier: Apache-2.0
internal import Downbeat
internal import Synchronization

/// The streams of one run of a command, and the state of what it prints.
///
/// A command runs with `Console.current` set to its console. So several commands can run at once,
/// each with other streams and variables, and a test can read what a command prints without
/// starting a process. A thread that a command starts has the process's console, unless it is passed
/// on with `withValue`.
///
/// - Note: any thread.
package final class Console: Sendable {
  /// The console of the command that runs on this thread or task.
  @TaskLocal package static var current = process

  /// The console of this process: its standard streams, its variables and its signals.
  package static let process = Console(
    output: StandardStream.output, messages: StandardStream.messages, variables: nil)

  let output: any ConsoleStream
  let messages: any ConsoleStream
  /// The descriptor that is read as standard input.
  package let inputDescriptor: Int32
  /// The descriptor that songs and sounds are written to as standard output.
  package let outputDescriptor: Int32
  /// The environment's variables; nil for those of the process.
  let variables: [String: String]?

  /// The first write to the output that failed; those after it would only leave a gap.
  private let failure = Mutex<Failure?>(nil)
  /// The report of `--json`; nil if nothing is reported.
  let report = Mutex<JSONReport.Run?>(nil)
  /// Lines kept while a picture is shown; nil if lines are printed at once.
  let heldLines = Mutex<[String]?>(nil)
  /// Lines that are drawn over themselves.
  let statusLines = Mutex<[StatusLine.Line]>([])
  /// The decoder of the encoding that was named for all texts; nil if it is guessed.
  let namedDecoder = Mutex<TextDecoder?>(nil)
  /// Words of the command line that are not ASCII, as `LocaleText` keeps them.
  let typedNames = Mutex<Set<String>>([])
  /// The progress bars so far.
  let barCount = Atomic(0)
  private let values = Mutex<[String: any Sendable]>([:])
  /// The path of the command's program, which it starts for plug-ins; nil for that of the process.
  let executable: String?

  /// Creates a console.
  ///
  /// - Parameters:
  ///   - output: the stream of data.
  ///   - messages: the stream of messages to a person.
  ///   - variables: the environment's variables; nil for those of the process.
  ///   - inputDescriptor: the descriptor that is read as standard input.
  ///   - outputDescriptor: the descriptor that songs and sounds are written to as standard output.
  ///   - executable: the path of the command's program; nil for that of the process.
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

  /// True if signals of the process end the command, and its end ends the process.
  package var isProcess: Bool { self === Self.process }

  /// True if a terminal shows the output.
  package var isOutputTerminal: Bool { output.isTerminal }

  /// True the first time that it is called with a key.
  package func isFirst(_ key: String) -> Bool {
    values.withLock { $0.updateValue(true, forKey: key) == nil }
  }

  /// A value that is made once for the whole run of a command.
  ///
  /// - Parameters:
  ///   - key: the name of the value; each name has one type of value.
  ///   - make: makes it; two threads may make it at once, and the first value stays.
  /// - Returns: the value.
  package func once<Value: Sendable>(_ key: String, _ make: () throws -> Value) rethrows -> Value {
    if let known = values.withLock({ $0[key] }) as? Value { return known }
    let value = try make()
    return values.withLock { values in
      if let known = values[key] as? Value { return known }
      values[key] = value
      return value
    }
  }

  /// Prints a message here, on a thread that has another console.
  package func say(_ line: String) {
    Self.$current.withValue(self) { Terminal.say(line) }
  }

  /// Writes all of some bytes to the output.
  ///
  /// - Throws: `Failure` with status 74, now and at every later call.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    if let failure = failure.withLock({ $0 }) { throw failure }
    try keepingFailure { () throws(Failure) in try unsafe output.write(bytes) }
  }

  /// Writes text to the output as it is.
  package func write(_ text: String) throws(Failure) {
    var text = text
    // The closure of `withUTF8` cannot throw a typed error.
    let result = text.withUTF8 { bytes in
      Result { () throws(Failure) in try unsafe write(UnsafeRawBufferPointer(bytes)) }
    }
    try result.get()
  }

  /// Ends the output; an error that a disk reports only now counts too.
  ///
  /// - Throws: `Failure` with status 74 if anything was lost.
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
