// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Something that owes events for every window of time: a player, a clock generator, a metronome.
///
/// Its only verb is to append what falls in a window. It remembers the next tick it owes, not the
/// last host time, so a timeline estimated anew can move an event but never repeat or skip one;
/// a window cut in two gives the same events.
///
/// - Note: called on the event thread only, or by whoever drives the scheduler offline.
public protocol EventSource: AnyObject {
  /// Whether nothing is owed any more, however far time goes.
  var isFinished: Bool { get }

  /// Appends what falls in `window`, placed in time by `timeline`.
  func emit(_ window: HostWindow, along timeline: Timeline<Tick>, into buffer: inout EventBuffer)

  /// Moves to a tick: the next event owed is the first one at or after it.
  func locate(to tick: Tick)
}

/// Something that takes timed events: an instrument, a port, a recorder.
public protocol EventSink: AnyObject {
  /// Takes events in order, from the first, and says how many it had room for.
  ///
  /// - Parameters:
  ///   - events: the events, ordered by time.
  ///   - payloads: the bytes that `sysEx` payloads point into.
  /// - Returns: the number taken; the caller keeps the rest and offers it again.
  /// - Throws: where the sink is gone.
  func send(_ events: Span<TimedEvent>, payloads: Span<UInt8>) throws -> Int

  /// Forgets everything due at or after an instant.
  func cancel(from time: HostTime)
}
