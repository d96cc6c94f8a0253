// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// A source of sync messages, which are owed also while the clock stands.
///
/// The clock's transport tells it beforehand: a Start must be on the wire before the first clock,
/// and nothing in a window of a running timeline could still bring it there.
///
/// - Note: called on the event thread only, or by whoever drives the scheduler offline.
public protocol ClockGenerator: AnyObject {
  /// Appends what falls in `window`, placed in time by `timeline`, while the clock runs.
  func emit(
    _ window: ReferenceWindow, along timeline: Timeline<Tick, ReferenceTime>,
    into buffer: inout EventBuffer)

  /// Appends what falls in a window in which the clock stands.
  ///
  /// - Parameters:
  ///   - window: The window.
  ///   - quarter: Nanoseconds a quarter note would last.
  ///   - buffer: Takes the events.
  func emitStanding(
    _ window: ReferenceWindow, nanosecondsPerQuarter quarter: Ratio, into buffer: inout EventBuffer)

  /// Moves to a tick; followers that run are stopped, and told where they are to go on.
  func locate(to tick: Tick)

  /// Announces that the clock that runs will go to a tick: followers are stopped at once, and go
  /// on in time for the first clock there. `locate(to:)` and `prepareStart` follow at that instant.
  ///
  /// - Parameters:
  ///   - tick: The position.
  ///   - now: When followers are stopped.
  ///   - first: When the first clock at or after the position is due.
  ///   - period: Nanoseconds from that clock to the next.
  func prepareLocate(
    to tick: Tick, from now: ReferenceTime, firstClock first: ReferenceTime, period: Int64)

  /// Announces that the clock that runs will go back at the end of a loop, as `prepareLocate` does;
  /// but that may be taken back.
  ///
  /// - Parameters:
  ///   - tick: The position.
  ///   - time: When the clock goes there.
  ///   - window: What is emitted next; what is to be said later is announced with a later one.
  ///   - first: When the first clock at or after the position is due.
  ///   - period: Nanoseconds from that clock to the next.
  func prepareLoop(
    to tick: Tick, at time: ReferenceTime, in window: ReferenceWindow,
    firstClock first: ReferenceTime, period: Int64)

  /// The first instant at or after another one at which a command may take effect: once followers
  /// were told of a move, it is made.
  func earliestCommand(atOrAfter time: ReferenceTime) -> ReferenceTime

  /// Announces that the clock will start.
  ///
  /// - Parameters:
  ///   - tick: The position.
  ///   - time: When it sounds; nil where a master's first clock will decide.
  func prepareStart(at tick: Tick, time: ReferenceTime?)

  /// Announces that the clock stops at an instant.
  func stop(at time: ReferenceTime)

  /// Counts in another map from a tick on, where the clock is.
  ///
  /// One of another division is followed by `locate(to:)`.
  func use(_ tempoMap: TempoMap, at tick: Tick)

  /// Counts labels from another label of the sequence's start, from a tick on, where the clock is;
  /// nil is 00:00:00:00 at the rate, or at the rate sent so far.
  func relabel(from offset: Timecode?, at rate: FrameRate?, tick: Tick)

  /// Everything emitted from an instant on was cancelled: it is owed again.
  func rewind(to time: ReferenceTime)
}

extension ClockGenerator {
  /// Nothing: followers that do not count clocks are told of a move when it happens.
  public func prepareLocate(
    to tick: Tick, from now: ReferenceTime, firstClock first: ReferenceTime, period: Int64
  ) {}

  /// Nothing, as of another move.
  public func prepareLoop(
    to tick: Tick, at time: ReferenceTime, in window: ReferenceWindow,
    firstClock first: ReferenceTime, period: Int64
  ) {}

  /// That instant.
  public func earliestCommand(atOrAfter time: ReferenceTime) -> ReferenceTime { time }
}
