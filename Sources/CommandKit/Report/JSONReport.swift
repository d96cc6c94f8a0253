// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import JSONText
internal import Synchronization

/// What a command tells other programs with `--json`, a line on standard output for each thing.
///
/// A command that runs tells of events: of `begin` once all is open, and, however it ends, of `end`
/// as the last. Of each file that is written a document tells, and of each that could not be.
///
/// - Note: any thread that may wait for standard output.
package enum JSONReport {
  package typealias Members = [(name: String, value: JSONValue)]

  struct Run {
    let command: String
    /// Whether it tells of events.
    let runs: Bool
    var file: String?
    var output: String?
    var reason = "eof"
    /// The messages that it sent or took, where it counts them.
    var eventCount: Int?
  }

  /// Whether anything is told.
  package static var isOn: Bool { Console.current.report.withLock { $0 != nil } }

  /// From here on what happens is told.
  package static func open(_ command: String, runs: Bool, file: String?, output: String?) {
    Console.current.report.withLock {
      $0 = Run(command: command, runs: runs, file: file, output: output)
    }
  }

  /// What is read and written now: what fails next is told of these.
  package static func turn(to file: String, output: String) {
    Console.current.report.withLock { run in
      run?.file = file
      run?.output = output
    }
  }

  /// Why a command that runs ends, where that is not since all is done.
  package static func setReason(_ reason: String) {
    Console.current.report.withLock { $0?.reason = reason }
  }

  /// Counts messages that were sent or taken; fewer where some were taken back.
  package static func count(_ events: Int) {
    guard events != 0 else { return }
    Console.current.report.withLock { run in
      let before = run?.eventCount ?? 0
      run?.eventCount = before + events
    }
  }

  /// Tells that all is open.
  ///
  /// - Throws: `Failure` with status 74 where standard output takes nothing.
  package static func begin(_ members: Members = []) throws(Failure) {
    let document = Console.current.report.withLock { run in
      run.map { event("begin", [("command", .text($0.command))] + members) }
    }
    if let document { try Terminal.output(document) }
  }

  /// Tells of something that happened; what cannot be written is told by the end of the process.
  package static func tell(_ event: String, _ members: Members = []) {
    Console.current.report.withLock { run in
      if run?.runs == true { Terminal.note(self.event(event, members)) }
    }
  }

  /// Tells of a file that was written, or could not be.
  package static func write(_ type: String, _ members: Members) {
    Console.current.report.withLock { run in
      guard let run else { return }
      let head: Members = [("v", 1), ("type", .text(type)), ("command", .text(run.command))]
      Terminal.note(JSONValue.object(head + members))
    }
  }

  /// Tells of something that could not be read or written.
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
  /// Tells how the process ends; nothing is told after it.
  ///
  /// - Parameters:
  ///   - status: the exit status.
  ///   - sentence: what went wrong, where it was not told of a file.
  package static func end(_ status: ExitStatus, because sentence: String?) {
    guard let run = take() else { return }
    let isFine = status == .success || status == .partial
    finish(
      run, status.rawValue, reason: isFine ? run.reason : "error", signal: nil,
      because: sentence)
  }

  /// Reports how the process ends if standard output takes that at once and no other thread reports.
  static func endAtOnce(_ status: ExitStatus, because sentence: String) {
    guard DescriptorPoll.poll(STDOUT_FILENO, for: POLLOUT, within: 0) > 0,
      let run = Console.current.report.withLockIfAvailable({ $0.take() }) ?? nil
    else { return }
    finish(run, status.rawValue, reason: "error", signal: nil, because: sentence)
  }

  /// Tells that a signal ends the process, where standard output takes that at once.
  package static func end(bySignal number: Int32) {
    guard number != SIGPIPE, DescriptorPoll.poll(STDOUT_FILENO, for: POLLOUT, within: 0) > 0
    else { return }
    // Whoever holds the lock may wait for a reader that stands still.
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
