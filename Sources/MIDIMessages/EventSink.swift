// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A receiver of timed events: an instrument in reference time, or a port in host time.
public protocol EventSink<Time>: AnyObject {
  /// The timeline of the event times.
  associatedtype Time: Instant

  /// Accepts events from the beginning of a span, in order, as far as there is room.
  ///
  /// - Parameters:
  ///   - events: The events, in order of time.
  ///   - payloads: The bytes of `sysEx` payloads.
  /// - Returns: The number of accepted events. The caller keeps the others and offers them again.
  /// - Throws: An error if the sink is no longer available.
  func send(_ events: Span<StampedEvent<Time>>, payloads: Span<UInt8>) throws -> Int

  /// Cancels all events at or after an instant.
  ///
  /// The caller keeps track of sounding notes.
  func cancel(from time: Time)

  /// Cancels all events at or after an instant that are not already playing.
  ///
  /// If the sink takes due events on a separate thread, that thread may already have passed the
  /// instant. Events that it has taken are audible; they must not be sent again, and their notes
  /// must be released.
  ///
  /// - Parameter time: The instant.
  /// - Returns: The first instant from which all events are cancelled: `time` or later.
  func takeBack(from time: Time) -> Time

  /// True if the sink accepts events in any order and plays each at its time.
  ///
  /// If false, it plays them in the order in which they were sent.
  var ordersByTime: Bool { get }

  /// True if the sink accepts SysEx messages in parts, each at its time.
  ///
  /// If false, it receives the whole message at the time of the last part.
  var takesSysExParts: Bool { get }

  /// True while the sink holds events back past their times, as a port does behind a long SysEx.
  ///
  /// Playback is not over while this is true, and `send` is called at least every 250 ms, if
  /// necessary without events.
  var isHoldingBack: Bool { get }
}

extension EventSink {
  /// Cancels all events from the instant on.
  ///
  /// This default is for sinks that do not take events before they are due.
  public func takeBack(from time: Time) -> Time {
    cancel(from: time)
    return time
  }

  /// False: events are played in the order in which they were sent.
  public var ordersByTime: Bool { false }

  /// False: SysEx messages are received as a whole.
  public var takesSysExParts: Bool { false }

  /// False: each event is sent at its time.
  public var isHoldingBack: Bool { false }
}
