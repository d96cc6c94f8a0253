// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import MIDIMessages
internal import MIDIPorts
internal import MusicalTime
internal import Realtime

/// The work of measuring clocks from ports in the run loop, with a line per second about each.
struct WatchLines<Clock: WatchedClock>: RunLoopBody {
  private static var period: Int64 { 1_000_000_000 }

  let input: InputPorts
  var run: WatchRun<Clock>
  /// The time at which it ends, in nanoseconds of the monotonic clock.
  private let end: Int64
  /// The time of the next line, in nanoseconds of the monotonic clock.
  private var next: Int64
  private var buffer = HostEventBuffer()

  /// Starts to measure.
  ///
  /// - Parameters:
  ///   - input: The ports.
  ///   - run: The clocks that are measured.
  ///   - start: The current time, in nanoseconds of the monotonic clock.
  ///   - end: The end on that clock; nil for no limit.
  init(input: InputPorts, run: WatchRun<Clock>, start: Int64, end: Int64?) {
    self.input = input
    self.run = run
    self.end = end ?? .max
    next = start + Self.period
  }

  var descriptors: [Int32] { input.descriptors + input.keeper.descriptors }
  var deadline: Int64? { min(next, end) }

  mutating func turn() throws -> Bool {
    try input.keeper.update().told()
    // Taken before the events are read: all older events have arrived by then.
    let now = HostTime(nanoseconds: DeadlineWait.now)
    buffer.removeAll()
    try input.drain(into: &buffer)
    for event in buffer.events {
      try run.take(event, buffer.payloads, from: input.senderName(event.track))
    }
    try run.advance(to: now)
    if now.nanoseconds >= next {
      next += Self.period
      try run.report()
    }
    return now.nanoseconds < end
  }
}
