// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Something that takes timed events: an instrument in reference time, a port in host time.
public protocol EventSink<Time>: AnyObject {
  /// The line of time on which its events are due.
  associatedtype Time: Instant

  /// Takes events in order, from the first, and says how many it had room for.
  ///
  /// - Parameters:
  ///   - events: the events, ordered by time.
  ///   - payloads: the bytes that `sysEx` payloads point into.
  /// - Returns: the number taken; the caller keeps the rest and offers it again.
  /// - Throws: where the sink is gone.
  func send(_ events: Span<StampedEvent<Time>>, payloads: Span<UInt8>) throws -> Int

  /// Forgets everything due at or after an instant; the caller knows what that leaves sounding.
  func cancel(from time: Time)

  /// Forgets everything due at or after an instant, and says what it had let go of before.
  ///
  /// Where a thread of the sink's own takes what is due, that may have gone past the instant since
  /// somebody looked: what it has taken is heard, and must be neither sent again nor left unreleased.
  ///
  /// - Parameter time: the instant.
  /// - Returns: the first instant from which on everything is forgotten: `time`, or a later one.
  func takeBack(from time: Time) -> Time

  /// Whether it takes events in any order and plays each at its time; if not, it plays them in
  /// the order in which they were sent.
  var ordersByTime: Bool { get }

  /// Whether it takes a SysEx message in the parts in which it is to leave; if not, it is sent the
  /// whole message at the time of the last.
  var takesSysExParts: Bool { get }

  /// Whether it holds events back past their times, as a port does behind a long SysEx.
  ///
  /// While it does, the music is not over, and `send` is called at least every 250 ms, without
  /// events if need be.
  var isHoldingBack: Bool { get }
}

extension EventSink {
  /// Forgets everything from the instant on, as one does that lets go of nothing beforehand.
  public func takeBack(from time: Time) -> Time {
    cancel(from: time)
    return time
  }

  /// No: it plays events in the order in which they were sent.
  public var ordersByTime: Bool { false }

  /// No: it is sent SysEx messages whole.
  public var takesSysExParts: Bool { false }

  /// No: each event leaves at its time.
  public var isHoldingBack: Bool { false }
}
