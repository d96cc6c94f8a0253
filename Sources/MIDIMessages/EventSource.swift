// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// An object that produces timed events, such as a player, a clock generator or a metronome.
///
/// A source appends the events of a window of time to a buffer. It remembers the next tick, not the
/// last instant, so a new tempo estimate can change the time of an event, but never repeats or
/// skips an event. If a window is split in two, the events are the same.
///
/// - Note: Called only on the event thread, or by the owner of the scheduler when rendering
///   offline.
public protocol EventSource: AnyObject {
  /// True if the source will not produce any more events.
  var isFinished: Bool { get }

  /// Appends the events in `window`, with times computed from `timeline`.
  func emit(
    _ window: ReferenceWindow, along timeline: Timeline<Tick, ReferenceTime>,
    into buffer: inout EventBuffer)

  /// Moves to a new position.
  ///
  /// The next event is the first at or after its tick.
  ///
  /// Events that the move requires are appended with the time `position.time`, such as the state of
  /// channels or a song position.
  ///
  /// - Parameters:
  ///   - position: The new position of the transport.
  ///   - move: The reason for the move.
  ///   - buffer: The list to append to.
  func locate(
    to position: TransportPosition, by move: TransportMove, into buffer: inout EventBuffer)

  /// Moves back to an instant, because all events from this instant on were cancelled and must be
  /// emitted again.
  ///
  /// The instant is never before the last `settle` or the last move.
  func rewind(to position: TransportPosition)

  /// Informs the source that events before an instant are audible and can no longer be cancelled.
  func settle(before position: TransportPosition)
}

extension EventSource {
  /// Does nothing.
  ///
  /// This is the default implementation.
  public func settle(before position: TransportPosition) {}
}

/// The reason for a move of the transport.
public enum TransportMove: Hashable, BitwiseCopyable, Sendable {
  /// The transport starts for the first time, or continues after a stop.
  case start
  /// The transport stops.
  case stop
  /// The position was changed by a command or the master, while running or stopped.
  case locate
  /// The transport jumps back at the end of a loop, from the given tick.
  case loop(from: Tick)
  /// The transport was delayed, and skips the events that were due in the meantime.
  case skip
}
