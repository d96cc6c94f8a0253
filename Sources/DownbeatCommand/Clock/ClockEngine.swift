// SPDX-License-Identifier: Apache-2.0
internal import ClockService
internal import MIDIPorts
internal import MusicalTime
internal import Realtime

/// A clock that runs until a signal, an end or a word, and the ports that it keeps.
struct ClockEngine {
  /// How long the last messages have to leave.
  private static let drainTime = Duration.milliseconds(200)

  let clock: Transport
  /// The ports that it sends through, emptied at the end.
  var ports: [OutputPorts] = []
  /// What keeps the port that it hears connected.
  var keeper: PortKeeper?

  /// Runs until a signal, the end of a time that counts from the start, or the word `quit`; then
  /// stops the clock, and those who follow are told.
  ///
  /// A signal then ends the process.
  ///
  /// - Parameters:
  ///   - wait: waits for signals.
  ///   - duration: the time; nil for no end.
  ///   - control: reads commands from standard input.
  /// - Throws: what ended the thread: a port that cannot be written to.
  func run(_ wait: SignalWait, for duration: TypedTime?, control: ClockControl? = nil) throws {
    let deadline = duration?.after((MonotonicClock.now + clock.lead).nanoseconds) ?? .max
    let number = try waitOut(wait, until: deadline, control)
    clock.end()
    for ports in ports { ports.drain(within: Self.drainTime) }
    if let number { SignalWatch.die(by: number) }
  }

  private func waitOut(
    _ wait: SignalWait, until deadline: Int64, _ control: ClockControl?
  ) throws -> Int32? {
    var control = control
    while true {
      if let failure = clock.failure { throw failure }
      let descriptors =
        (control?.descriptors ?? []) + (keeper?.descriptors ?? []) + ports.flatMap(\.descriptors)
      switch wait.until(min(DeadlineWait.now + 50_000_000, deadline), readable: descriptors) {
      case .signal(let number): return number
      case .readable:
        try keeper?.update().told()
        for ports in ports { try ports.update().told() }
        if try control?.take(for: clock) == false {
          JSONReport.setReason("quit")
          return nil
        }
      case .deadline: if DeadlineWait.now >= deadline { return nil }
      }
    }
  }
}
