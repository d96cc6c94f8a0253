// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import MIDIMessages
internal import MIDIPorts
internal import MusicalTime
internal import Realtime

/// Clocks that arrive at ports, and a line about each of them once a second.
struct WatchLines<Clock: WatchedClock>: RunLoopBody {
  private static var period: Int64 { 1_000_000_000 }

  let input: InputPorts
  var run: WatchRun<Clock>
  /// When it ends, in nanoseconds of the monotonic clock.
  private let end: Int64
  /// When the next line is due.
  private var next: Int64
  private var buffer = HostEventBuffer()

  /// Begins to watch.
  ///
  /// - Parameters:
  ///   - input: the ports.
  ///   - run: what has arrived.
  ///   - start: now, in nanoseconds of the monotonic clock.
  ///   - end: the end on that clock; nil for none.
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
