// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A receiver of timed events, such as an instrument (in reference time) or a port (in host time).
public protocol EventSink<Time>: AnyObject {
  /// The time scale of the events: host time or reference time.
  associatedtype Time: Instant

  /// Accepts the events at the beginning of a span, in order, until the sink is full.
  ///
  /// - Parameters:
  ///   - events: The events, in order of time.
  ///   - payloads: The bytes to which the `sysEx` payloads of the events refer.
  /// - Returns: The number of events that were accepted. The caller keeps the others, and offers
  ///   them again.
  /// - Throws: An error if the sink is no longer available.
  func send(_ events: Span<StampedEvent<Time>>, payloads: Span<UInt8>) throws -> Int

  /// Cancels all events that are due at or after an instant.
  ///
  /// Sounding notes are not released; the caller must release them.
  func cancel(from time: Time)

  /// Cancels the events that are due at or after an instant and have not been played yet.
  ///
  /// If the sink takes due events on a separate thread, that thread may already have passed the
  /// instant. Events that it has taken are audible; they must not be sent again, and their notes
  /// must be released.
  ///
  /// - Parameter time: The instant.
  /// - Returns: The first instant from which all events are cancelled: `time` or later.
  func takeBack(from time: Time) -> Time

  /// True if the sink accepts events in any order, and plays each at its time.
  ///
  /// If false, the sink plays events in the order in which they were sent.
  var ordersByTime: Bool { get }

  /// True if the sink accepts SysEx messages in parts, each at its time.
  ///
  /// If false, the sink receives the whole message at the time of the last part.
  var takesSysExParts: Bool { get }

  /// True while the sink delays events beyond their times, as a port does while it sends a long
  /// SysEx.
  ///
  /// While this property is true, playback continues, and `send` is called at least every 250 ms,
  /// if necessary without events.
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
