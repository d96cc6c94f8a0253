// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// An event and the instant it belongs to, on the line of time that the type names.
///
/// Nothing in it is a reference, so it crosses threads by value.
public struct StampedEvent<Time: Instant>: BitwiseCopyable, Sendable {
  /// When the event is due, or came.
  public var time: Time
  /// What is due.
  public var payload: Payload
  /// The event's index in its track, where it has one.
  public var index: UInt32
  /// The count of scores before the one that `index` counts in.
  public var generation: UInt32
  /// The track it came from, counted from 0 within its source; `noTrack` for none.
  public var track: UInt16
  /// The port it belongs to, counted from 0 within its source: each has sixteen channels of its own.
  public var port: UInt8

  /// The track of what comes from no track: the tempo track's events, and the transport's.
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

  /// The same event at an instant of another line of time.
  @inlinable
  public func moved<Other>(to time: Other) -> StampedEvent<Other> {
    StampedEvent<Other>(
      time: time, payload: payload, track: track, index: index, generation: generation, port: port)
  }

  /// What an event says.
  public typealias Payload = EventPayload
  /// What is to be told of.
  public typealias Fact = EventFact
}

/// What flows from sources to sinks, due in reference time.
public typealias TimedEvent = StampedEvent<ReferenceTime>

/// What ports bring and take, at host times.
public typealias HostEvent = StampedEvent<HostTime>

/// The kinds of event.
///
/// A sink skips what it cannot take.
public enum EventPayload: BitwiseCopyable, Sendable {
  /// A channel or short system message.
  case message(Message)
  /// A whole SysEx message without its F0 and F7: a place among the buffer's payload bytes.
  case sysEx(PayloadRange)
  /// A part of a SysEx message that leaves at a time of its own, without F0 and F7; the whole message
  /// follows its last part as `sysEx`.
  ///
  /// Only a sink that `takesSysExParts` is sent any, and is not sent the whole one then.
  case sysExPart(PayloadRange, SysExPart)
  /// A unit's parameter takes a value.
  case parameter(ParameterChange)
  /// Something to be told of; a sink of sound skips it.
  case fact(EventFact)
}

extension EventPayload {
  /// The bytes that travel beside the event; nil where there are none.
  @inlinable public var bytes: PayloadRange? {
    switch self {
    case .sysEx(let place), .sysExPart(let place, _): place
    case .message, .parameter, .fact: nil
    }
  }

  /// The same with its bytes at another place.
  @inlinable
  func moved(to place: PayloadRange) -> EventPayload {
    if case .sysExPart(_, let part) = self { .sysExPart(place, part) } else { .sysEx(place) }
  }
}

/// Which part of a SysEx message leaves.
public enum SysExPart: Hashable, BitwiseCopyable, Sendable {
  /// The first, with F0 before it.
  case first
  /// One between.
  case middle
  /// The last, with F7 behind it, which may be all that is left of the message.
  case last
  /// F7 alone, which ends a message whose last part will not be sent.
  case abandoned
}

/// The kinds of thing to be told of.
public enum EventFact: Hashable, BitwiseCopyable, Sendable {
  /// A meta, user or parameter event of the track: the one at the event's `index`.
  case event(tick: Tick)
  /// The transport began to run at a tick.
  case started(Tick)
  /// The transport stopped before a tick.
  case stopped(Tick)
  /// The transport went to a tick.
  case located(Tick)
  /// The loop went back to its start for the n-th time, and where that is.
  case looped(pass: Int32, to: Tick)
  /// The window came too late: so many nanoseconds were left out.
  case late(nanoseconds: Int64)
  /// A song's longest track ends at a tick, although nothing may sound there.
  case ended(Tick)
  /// Every source has emitted all it had.
  case finished
}

/// A unit's parameter, the value it takes, and in what time.
public struct ParameterChange: Hashable, BitwiseCopyable, Sendable {
  /// The parameter, as the unit numbers it.
  public var parameter: UInt32
  /// The part of the unit.
  public var scope: UInt32
  /// The element of the part.
  public var element: UInt32
  /// The value, in the parameter's unit.
  public var value: Float
  /// Nanoseconds of a straight line to the value; nil takes as long as the parameter by itself.
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

extension Span<UInt8> {
  /// The bytes at a place.
  @inlinable @_lifetime(copy self)
  public func extracting(_ place: PayloadRange) -> Span<UInt8> {
    extracting(Int(place.offset)..<Int(place.offset) + Int(place.count))
  }
}
