// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A receiver of timed events, such as an instrument (in reference time) or a port (in host time).
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
  /// Cancels all events due at or after an instant, and returns the instant.
  ///
  /// This default implementation is for sinks from which every event can be cancelled until it is
  /// due.
  public func takeBack(from time: Time) -> Time {
    cancel(from: time)
    return time
  }

  /// False by default: events must be sent in the order in which they are played.
  public var ordersByTime: Bool { false }

  /// False by default: the sink receives only complete SysEx messages.
  public var takesSysExParts: Bool { false }

  /// False by default: the sink does not delay events.
  public var isHoldingBack: Bool { false }
}
