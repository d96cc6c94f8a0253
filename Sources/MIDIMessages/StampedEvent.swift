// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// An event and its time on the timeline given by `Time`.
///
/// It does not contain references, so it can be passed between threads.
public struct StampedEvent<Time: Instant>: BitwiseCopyable, Sendable {
  /// The time at which the event is due, or was received.
  public var time: Time
  /// The message or other content.
  public var payload: Payload
  /// The event's index in its track, if it has one.
  public var index: UInt32
  /// A number that distinguishes the songs to which `index` can refer; it increases with each song.
  public var generation: UInt32
  /// The track of the event, counted from 0 in its source; `noTrack` for none.
  public var track: UInt16
  /// The port of the event, counted from 0 in its source.
  ///
  /// Each port has sixteen channels.
  public var port: UInt8

  /// The track of events without a track: those of the tempo track and of the transport.
  public static var noTrack: UInt16 { .max }

  /// Creates an event.
  @inlinable
  public init(
    time: Time, payload: Payload, track: UInt16 = 0, index: UInt32 = 0, generation: UInt32 = 0,
    port: UInt8 = 0
  ) {
    self.time = time
    self.payload = payload
    self.track = track
    self.index = index
    self.generation = generation
    self.port = port
  }

  /// The same event at a time of another timeline.
  @inlinable
  public func moved<Other>(to time: Other) -> StampedEvent<Other> {
    StampedEvent<Other>(
      time: time, payload: payload, track: track, index: index, generation: generation, port: port)
  }

  /// The content of an event.
  public typealias Payload = EventPayload
  /// A report to listeners.
  public typealias Fact = EventFact
}

/// An event in reference time, from sources to sinks.
public typealias TimedEvent = StampedEvent<ReferenceTime>

/// An event in host time, from and to ports.
public typealias HostEvent = StampedEvent<HostTime>

/// The kinds of event content.
///
/// A sink ignores kinds that it does not support.
public enum EventPayload: BitwiseCopyable, Sendable {
  /// A channel or short system message.
  case message(Message)
  /// A complete SysEx message without F0 and F7: a range of the list's payload bytes.
  case sysEx(PayloadRange)
  /// A part of a SysEx message at its time, without F0 and F7.
  ///
  /// The complete message follows the last part as `sysEx`. A sink receives parts only if
  /// `takesSysExParts` is true; it then does not receive the complete message.
  case sysExPart(PayloadRange, SysExPart)
  /// A change of a unit's parameter.
  case parameter(ParameterChange)
  /// A report to listeners; sinks for sound ignore it.
  case fact(EventFact)
}

extension EventPayload {
  /// The range of payload bytes; nil for other kinds of content.
  @inlinable public var bytes: PayloadRange? {
    switch self {
    case .sysEx(let place), .sysExPart(let place, _): place
    case .message, .parameter, .fact: nil
    }
  }

  /// The same content with another range of payload bytes.
  @inlinable
  func moved(to place: PayloadRange) -> EventPayload {
    if case .sysExPart(_, let part) = self { .sysExPart(place, part) } else { .sysEx(place) }
  }
}

/// The position of a part in a SysEx message.
public enum SysExPart: Hashable, BitwiseCopyable, Sendable {
  /// The first part; F0 precedes it.
  case first
  /// A part in the middle.
  case middle
  /// The last part; F7 follows it.
  ///
  /// The part itself may be empty.
  case last
  /// Only F7, which ends a message whose last part will not be sent.
  case abandoned
}

/// The kinds of reports to listeners.
public enum EventFact: Hashable, BitwiseCopyable, Sendable {
  /// A meta, user or parameter event of the track, at the event's `index`.
  case event(tick: Tick)
  /// The transport started at a tick.
  case started(Tick)
  /// The transport stopped before a tick.
  case stopped(Tick)
  /// The transport moved to a tick.
  case located(Tick)
  /// The loop went back to its start, at the given tick, for the given pass.
  case looped(pass: Int32, to: Tick)
  /// The window was late, and events of this many nanoseconds were skipped.
  case late(nanoseconds: Int64)
  /// The end of a song's longest track, even if nothing sounds there.
  case ended(Tick)
  /// All sources have emitted all their events.
  case finished
}

/// A change of a unit's parameter to a value.
public struct ParameterChange: Hashable, BitwiseCopyable, Sendable {
  /// The number of the parameter, as defined by the unit.
  public var parameter: UInt32
  /// The part of the unit, as defined by the unit.
  public var scope: UInt32
  /// The element of the scope.
  public var element: UInt32
  /// The value, in the parameter's physical unit.
  public var value: Float
  /// The duration of a linear change in nanoseconds; nil for the parameter's default.
  public var glide: UInt32?

  /// Creates a change.
  @inlinable
  public init(
    parameter: UInt32, scope: UInt32 = 0, element: UInt32 = 0, value: Float, glide: UInt32? = nil
  ) {
    self.parameter = parameter
    self.scope = scope
    self.element = element
    self.value = value
    self.glide = glide
  }
}

/// A range of payload bytes in an event list.
public struct PayloadRange: Hashable, BitwiseCopyable, Sendable {
  /// The first byte.
  public let offset: UInt32
  /// The number of bytes.
  public let count: UInt32

  /// Creates a range.
  @inlinable
  public init(offset: UInt32, count: UInt32) {
    self.offset = offset
    self.count = count
  }
}

extension Span<UInt8> {
  /// The bytes in a range.
  @inlinable @_lifetime(copy self)
  public func extracting(_ place: PayloadRange) -> Span<UInt8> {
    extracting(Int(place.offset)..<Int(place.offset) + Int(place.count))
  }
}
