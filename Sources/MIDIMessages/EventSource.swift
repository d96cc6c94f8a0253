// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Something that owes events for every window of time: a player, a clock generator, a metronome.
///
/// Its only verb is to append what falls in a window. It remembers the next tick it owes, not the
/// last instant, so a timeline estimated anew can move an event but never repeat or skip one;
/// a window cut in two gives the same events.
///
/// - Note: called on the event thread only, or by whoever drives the scheduler offline.
public protocol EventSource: AnyObject {
  /// Whether nothing is owed any more, however far time goes.
  var isFinished: Bool { get }

  /// Appends what falls in `window`, placed in time by `timeline`.
  func emit(
    _ window: ReferenceWindow, along timeline: Timeline<Tick, ReferenceTime>,
    into buffer: inout EventBuffer)

  /// The transport moves: the next event owed is the first one at or after its new tick.
  ///
  /// What the move itself calls for is appended, due at `position.time`: the state of channels
  /// there, a song position.
  ///
  /// - Parameters:
  ///   - position: where the transport stands now.
  ///   - move: how it came there.
  ///   - buffer: takes the events.
  func locate(
    to position: TransportPosition, by move: TransportMove, into buffer: inout EventBuffer)

  /// Everything emitted from an instant on was cancelled: it is owed again.
  ///
  /// The instant is never before the last `settle`, nor before the last move.
  func rewind(to position: TransportPosition)

  /// What lies before an instant has sounded: nothing before it will be cancelled any more.
  func settle(before position: TransportPosition)
}

extension EventSource {
  /// Remembers nothing of what has sounded.
  public func settle(before position: TransportPosition) {}
}

/// How a transport came to where it stands.
public enum TransportMove: Hashable, BitwiseCopyable, Sendable {
  /// It starts to run, or runs on after a stop.
  case start
  /// It stops.
  case stop
  /// It was moved, running or not.
  case locate
  /// It goes back at the end of a loop, which is the tick named.
  case loop(from: Tick)
  /// It was held up and leaves out what should have sounded meanwhile.
  case skip
}
