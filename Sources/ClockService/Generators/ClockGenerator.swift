// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// A source of sync messages, which may also send while the clock is stopped.
///
/// The transport notifies it in advance: a Start must be sent before the first clock, and in a
/// window of a running timeline it would be too late for that.
///
/// - Note: Called on the event thread only, or by the thread that drives the scheduler offline.
public protocol ClockGenerator: AnyObject {
  /// Appends the messages in `window`, with times from `timeline`, while the clock runs.
  func emit(
    _ window: ReferenceWindow, along timeline: Timeline<Tick, ReferenceTime>,
    into buffer: inout EventBuffer)

  /// Appends the messages in a window in which the clock is stopped.
  ///
  /// - Parameters:
  ///   - window: The window.
  ///   - quarter: The length of a quarter note in nanoseconds.
  ///   - buffer: The buffer to which events are appended.
  func emitStanding(
    _ window: ReferenceWindow, nanosecondsPerQuarter quarter: Ratio, into buffer: inout EventBuffer)

  /// Moves to a tick.
  ///
  /// Running followers are stopped and sent the new position.
  func locate(to tick: Tick)

  /// Prepares a jump of the running clock to a tick: followers are stopped at once, and continue in
  /// time for the first clock after it.
  ///
  /// `locate(to:)` and `prepareStart` follow at that instant.
  ///
  /// - Parameters:
  ///   - tick: The new position.
  ///   - now: The time at which followers are stopped.
  ///   - first: The time of the first clock at or after the position.
  ///   - period: Nanoseconds from that clock to the next.
  func prepareLocate(
    to tick: Tick, from now: ReferenceTime, firstClock first: ReferenceTime, period: Int64)

  /// Prepares a jump of the running clock at the end of a loop, which may be cancelled; otherwise
  /// as `prepareLocate`.
  ///
  /// - Parameters:
  ///   - tick: The new position.
  ///   - time: The time of the jump.
  ///   - window: The next window to be emitted; messages after its end are prepared with a later
  ///     window.
  ///   - first: The time of the first clock at or after the position.
  ///   - period: Nanoseconds from that clock to the next.
  func prepareLoop(
    to tick: Tick, at time: ReferenceTime, in window: ReferenceWindow,
    firstClock first: ReferenceTime, period: Int64)

  /// Returns the first instant at or after another one at which a command may take effect.
  ///
  /// Once followers have been notified of a jump, it is the instant after the jump.
  func earliestCommand(atOrAfter time: ReferenceTime) -> ReferenceTime

  /// Prepares a start of the clock.
  ///
  /// - Parameters:
  ///   - tick: The position.
  ///   - time: The time of the start; nil if the first clock of a master determines it.
  func prepareStart(at tick: Tick, time: ReferenceTime?)

  /// Stops at an instant.
  func stop(at time: ReferenceTime)

  /// Uses another tempo map from a tick on, at which the clock is.
  ///
  /// If the division differs, `locate(to:)` follows.
  func use(_ tempoMap: TempoMap, at tick: Tick)

  /// Uses another time code for the song's start, from a tick on, at which the clock is.
  ///
  /// Nil is 00:00:00:00, at `rate` or else the present rate.
  func relabel(from offset: Timecode?, at rate: FrameRate?, tick: Tick)

  /// Cancels everything emitted from an instant on, so that it is emitted again.
  func rewind(to time: ReferenceTime)
}

extension ClockGenerator {
  /// Does nothing: generators other than MIDI clock notify followers when the jump happens.
  public func prepareLocate(
    to tick: Tick, from now: ReferenceTime, firstClock first: ReferenceTime, period: Int64
  ) {}

  /// Does nothing, as `prepareLocate`.
  public func prepareLoop(
    to tick: Tick, at time: ReferenceTime, in window: ReferenceWindow,
    firstClock first: ReferenceTime, period: Int64
  ) {}

  /// Returns the same instant.
  public func earliestCommand(atOrAfter time: ReferenceTime) -> ReferenceTime { time }
}
