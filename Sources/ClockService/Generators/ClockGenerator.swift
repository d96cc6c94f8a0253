// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// A source of sync messages, which are owed also while the clock stands.
///
/// The clock's transport tells it beforehand: a Start must be on the wire before the first clock,
/// and nothing in a window of a running timeline could still bring it there.
///
/// - Note: called on the event thread only, or by whoever drives the scheduler offline.
public protocol ClockGenerator: EventSource {
  /// Announces that the clock will start.
  ///
  /// - Parameters:
  ///   - tick: The position.
  ///   - time: When it sounds; nil where a master's first clock will decide.
  func prepareStart(at tick: Tick, time: HostTime?)

  /// Announces that the clock stops at an instant; what was owed from it on counts as not sent.
  func stop(at time: HostTime)

  /// Appends what falls in a window in which the clock stands.
  ///
  /// - Parameters:
  ///   - window: The window.
  ///   - quarter: Nanoseconds a quarter note would last.
  ///   - buffer: Takes the events.
  func emitStanding(
    _ window: HostWindow, nanosecondsPerQuarter quarter: Ratio, into buffer: inout EventBuffer)
}

extension ClockGenerator {
  /// Never: a clock goes on for as long as it is asked.
  public var isFinished: Bool { false }
}
