// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import JSONText
internal import Synchronization

/// The JSON output of a command with `--json`: one line on standard output for each event or file.
///
/// A command that runs reports events: `begin` when everything is open, and `end` as the last,
/// however it ends. A command that writes files reports each file that was written or could not be
/// written.
///
/// - Note: Any thread that may block on standard output.
package enum JSONReport {
  package typealias Members = [(name: String, value: JSONValue)]

  struct Run {
    let command: String
    /// True for a command that reports events.
    let runs: Bool
    var file: String?
    var output: String?
    var reason = "eof"
    /// The number of messages sent or received; nil if the command does not count them.
    var eventCount: Int?
  }

  /// True if `--json` is used.
  package static var isOn: Bool { Console.current.report.withLock { $0 != nil } }

  /// Starts the JSON output.
  package static func open(_ command: String, runs: Bool, file: String?, output: String?) {
    Console.current.report.withLock {
      $0 = Run(command: command, runs: runs, file: file, output: output)
    }
  }

  /// Sets the current files, which are named in the report of a failure.
  package static func turn(to file: String, output: String) {
    Console.current.report.withLock { run in
      run?.file = file
      run?.output = output
    }
  }

  /// Sets the reason for the end of a command that runs; by default, that it has finished.
  package static func setReason(_ reason: String) {
    Console.current.report.withLock { $0?.reason = reason }
  }

  /// Adds to the number of messages sent or received; negative for cancelled ones.
  package static func count(_ events: Int) {
    guard events != 0 else { return }
    Console.current.report.withLock { run in
      let before = run?.eventCount ?? 0
      run?.eventCount = before + events
    }
  }

  /// Reports that everything is open.
  ///
  /// - Throws: `Failure` with exit status 74 if standard output cannot be written.
  package static func begin(_ members: Members = []) throws(Failure) {
    let document = Console.current.report.withLock { run in
      run.map { event("begin", [("command", .text($0.command))] + members) }
    }
    if let document { try Terminal.output(document) }
  }

  /// Reports an event; an error of standard output is reported when the process ends.
  package static func tell(_ event: String, _ members: Members = []) {
    Console.current.report.withLock { run in
      if run?.runs == true { Terminal.note(self.event(event, members)) }
    }
  }

  /// Reports a file that was written or could not be written.
  package static func write(_ type: String, _ members: Members) {
    Console.current.report.withLock { run in
      guard let run else { return }
      let head: Members = [("v", 1), ("type", .text(type)), ("command", .text(run.command))]
      Terminal.note(JSONValue.object(head + members))
    }
  }

  /// Reports a file that could not be read or written.
  package static func refuse(_ failure: any FailureDescribing, file: String?, output: String? = nil)
  {
    write("refused", refusal(file, output, failure.sentence, failure.exitStatus.rawValue))
  }

  private static func refusal(
    _ file: String?, _ output: String?, _ sentence: String, _ status: Int32
  ) -> Members {
    [
      ("file", path(file)), ("output", path(output)), ("message", .text(sentence)),
      ("exitStatus", .integer(Int(status))),
    ]
  }

  private static func event(_ name: String, _ members: Members) -> JSONValue {
    JSONValue.object([("v", 1), ("type", "event"), ("event", .text(name))] + members)
  }

  package static func text(_ text: String?) -> JSONValue { text.map { .text($0) } ?? .null }

  package static func path(_ path: String?) -> JSONValue { path.map { .path($0) } ?? .null }
}

extension JSONReport {
  /// Reports how the process ends, as the last line.
  ///
  /// - Parameters:
  ///   - status: The exit status.
  ///   - sentence: The error message, if it was not yet reported for a file.
  package static func end(_ status: ExitStatus, because sentence: String?) {
    guard let run = take() else { return }
    let isFine = status == .success || status == .partial
    finish(
      run, status.rawValue, reason: isFine ? run.reason : "error", signal: nil,
      because: sentence)
  }

  /// Reports how the process ends, if standard output accepts it without blocking and no other
  /// thread is reporting.
  static func endAtOnce(_ status: ExitStatus, because sentence: String) {
    guard DescriptorPoll.poll(STDOUT_FILENO, for: POLLOUT, within: 0) > 0,
      let run = Console.current.report.withLockIfAvailable({ $0.take() }) ?? nil
    else { return }
    finish(run, status.rawValue, reason: "error", signal: nil, because: sentence)
  }

  /// Reports that a signal ends the process, if standard output accepts it without blocking.
  package static func end(bySignal number: Int32) {
    guard number != SIGPIPE, DescriptorPoll.poll(STDOUT_FILENO, for: POLLOUT, within: 0) > 0
    else { return }
    // The thread that holds the lock may be waiting for a reader that does not read.
    guard let run = Console.current.report.withLockIfAvailable({ $0.take() }) ?? nil else { return }
    finish(
      run, 128 + number, reason: "signal", signal: number,
      because: run.runs ? nil : "ended by signal \(number)")
  }

  private static func take() -> Run? { Console.current.report.withLock { $0.take() } }

  private static func finish(
    _ run: Run, _ status: Int32, reason: String, signal: Int32?, because sentence: String?
  ) {
    guard run.runs else {
      guard let sentence else { return }
      let head: Members = [("v", 1), ("type", "refused"), ("command", .text(run.command))]
      return Terminal.note(
        JSONValue.object(head + refusal(run.file, run.output, sentence, status)))
    }
    var members: Members = [("reason", .text(reason))]
    if let signal { members.append(("signal", .integer(Int(signal)))) }
    if let sentence { members.append(("message", .text(sentence))) }
    if let count = run.eventCount { members.append(("events", .integer(count))) }
    Terminal.note(event("end", members + [("exitStatus", .integer(Int(status)))]))
  }
}
