// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// A source of sync messages, which may also send while the clock is stopped.
///
/// The transport notifies a generator in advance of starts and jumps, because a Start must be sent
/// before the first clock, when the running timeline has not begun yet.
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
  /// time for the first clock after the jump.
  ///
  /// `locate(to:)` and `prepareStart` are called when the jump happens.
  ///
  /// - Parameters:
  ///   - tick: The new position.
  ///   - now: The time at which followers are stopped.
  ///   - first: The time of the first clock at or after the position.
  ///   - period: Nanoseconds from that clock to the next.
  func prepareLocate(
    to tick: Tick, from now: ReferenceTime, firstClock first: ReferenceTime, period: Int64)

  /// Prepares a jump of the running clock at the end of a loop, like `prepareLocate`.
  ///
  /// Unlike other jumps, it may still be cancelled.
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

  /// Returns the first instant at or after `time` at which a command may take effect.
  ///
  /// Once followers have been notified of a jump, this is the instant after the jump.
  func earliestCommand(atOrAfter time: ReferenceTime) -> ReferenceTime

  /// Prepares a start of the clock.
  ///
  /// - Parameters:
  ///   - tick: The position.
  ///   - time: The time of the start; nil if the first clock of a master determines it.
  func prepareStart(at tick: Tick, time: ReferenceTime?)

  /// Stops at an instant.
  func stop(at time: ReferenceTime)

  /// Replaces the tempo map; `tick` is the current position.
  ///
  /// If the new map has another division, `locate(to:)` is called next.
  func use(_ tempoMap: TempoMap, at tick: Tick)

  /// Changes the time code of the song's start; `tick` is the current position.
  ///
  /// If `offset` is nil, the song starts at 00:00:00:00, at `rate` or, if that is nil, at the
  /// current rate.
  func relabel(from offset: Timecode?, at rate: FrameRate?, tick: Tick)

  /// Cancels all messages due at or after an instant; later windows emit them again.
  func rewind(to time: ReferenceTime)
}

extension ClockGenerator {
  /// Does nothing.
  ///
  /// Only MIDI clock notifies followers before a jump; other generators do so when the jump
  /// happens.
  public func prepareLocate(
    to tick: Tick, from now: ReferenceTime, firstClock first: ReferenceTime, period: Int64
  ) {}

  /// Does nothing.
  ///
  /// Only MIDI clock notifies followers before a jump; other generators do so when the jump
  /// happens.
  public func prepareLoop(
    to tick: Tick, at time: ReferenceTime, in window: ReferenceWindow,
    firstClock first: ReferenceTime, period: Int64
  ) {}

  /// Returns the same instant: commands may take effect at any time.
  public func earliestCommand(atOrAfter time: ReferenceTime) -> ReferenceTime { time }
}
