// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// What flows from sources to sinks: an event and the instant it belongs to.
///
/// Nothing in it is a reference, so it crosses threads by value.
public struct TimedEvent: BitwiseCopyable, Sendable {
  /// When the event is due, in reference time.
  public var time: HostTime
  /// What is due.
  public var payload: Payload
  /// The track it came from, counted from 0 within its source.
  public var track: UInt16
  /// The count of stops, seeks and edits before it; a sink drops what is older than its own.
  public var generation: UInt32

  /// Creates an event.
  @inlinable
  public init(time: HostTime, payload: Payload, track: UInt16 = 0, generation: UInt32 = 0) {
    self.time = time
    self.payload = payload
    self.track = track
    self.generation = generation
  }

  /// The kinds of event.
  ///
  /// A sink skips what it cannot take.
  public enum Payload: BitwiseCopyable, Sendable {
    /// A channel or short system message.
    case message(Message)
    /// A whole SysEx message without its F0 and F7: a place among the buffer's payload bytes.
    case sysEx(PayloadRange)
    /// Something to be told of: a meta or user event, by its index in the track.
    case fact(index: UInt32)
  }
}

/// A place among the payload bytes that travel beside events.
public struct PayloadRange: Hashable, BitwiseCopyable, Sendable {
  /// The first byte.
  public let offset: UInt32
  /// The number of bytes.
  public let count: UInt32

  /// Creates a place.
  @inlinable
  public init(offset: UInt32, count: UInt32) {
    self.offset = offset
    self.count = count
  }
}
