// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// An event with its time, in host time or reference time (`Time`).
///
/// An event does not contain references, so it can be passed between threads.
public struct StampedEvent<Time: Instant>: BitwiseCopyable, Sendable {
  /// The time at which the event is due, or was received.
  public var time: Time
  /// The content of the event, such as a message.
  public var payload: Payload
  /// The index of the event in its track, for an event of a song.
  public var index: UInt32
  /// The number of the song to which `index` refers; it increases with each song.
  public var generation: UInt32
  /// The index of the track in its source, from 0; `noTrack` for an event without a track.
  public var track: UInt16
  /// The number of the song's port in its source, from 0.
  ///
  /// Each port has sixteen channels.
  public var port: UInt8

  /// The `track` of events that do not belong to a track, such as those of the tempo track and of
  /// the transport.
  public static var noTrack: UInt16 { .max }

  /// Creates an event from its values.
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

  /// Returns the same event at a time of the same or another type.
  @inlinable
  public func moved<Other>(to time: Other) -> StampedEvent<Other> {
    StampedEvent<Other>(
      time: time, payload: payload, track: track, index: index, generation: generation, port: port)
  }

  /// The content of an event.
  public typealias Payload = EventPayload
  /// A report to observers.
  public typealias Fact = EventFact
}

/// An event in reference time, as event sources send it to sinks.
public typealias TimedEvent = StampedEvent<ReferenceTime>

/// An event in host time, as ports send and receive it.
public typealias HostEvent = StampedEvent<HostTime>

/// The content of an event.
///
/// A sink ignores kinds that it does not support.
public enum EventPayload: BitwiseCopyable, Sendable {
  /// A channel or short system message.
  case message(Message)
  /// A complete SysEx message without F0 and F7, as a range of the event list's payload bytes.
  case sysEx(PayloadRange)
  /// A part of a SysEx message that is sent at a separate time, without F0 and F7.
  ///
  /// After the last part, the complete message is sent as `sysEx`. A sink whose `takesSysExParts`
  /// is true receives only the parts; any other sink receives only the complete message.
  case sysExPart(PayloadRange, SysExPart)
  /// A change of a unit's parameter.
  case parameter(ParameterChange)
  /// A report to observers; sinks that produce sound ignore it.
  case fact(EventFact)
}

extension EventPayload {
  /// The range of the content's payload bytes; nil if it does not have any.
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
  /// The first part, before which F0 is sent.
  case first
  /// A part between the first and the last.
  case middle
  /// The last part, after which F7 is sent.
  ///
  /// The part may be empty.
  case last
  /// Only F7 is sent, to end a message whose last part will not be sent.
  case abandoned
}

/// A report to observers of playback.
public enum EventFact: Hashable, BitwiseCopyable, Sendable {
  /// A meta, user or parameter event of the track, at the event's `index`.
  case event(tick: Tick)
  /// The transport started at a tick.
  case started(Tick)
  /// The transport stopped before a tick.
  case stopped(Tick)
  /// The transport moved to a tick.
  case located(Tick)
  /// The transport jumped back to the start of the loop, at `to`.
  ///
  /// `pass` is the number of the pass that begins.
  case looped(pass: Int32, to: Tick)
  /// Events were not emitted in time, and those of this many nanoseconds were skipped.
  case late(nanoseconds: Int64)
  /// The tick at which a song's longest track ends, even if nothing sounds there, was reached.
  case ended(Tick)
  /// All sources have emitted all their events.
  case finished
}

/// A change of a unit's parameter to a value.
public struct ParameterChange: Hashable, BitwiseCopyable, Sendable {
  /// The number of the parameter, as defined by the unit.
  public var parameter: UInt32
  /// The scope of the parameter, as defined by the unit.
  public var scope: UInt32
  /// The element of the scope, such as a channel or a bus, as defined by the unit.
  public var element: UInt32
  /// The value, in the parameter's physical unit.
  public var value: Float
  /// The duration of a linear change to the value in nanoseconds; nil for the default of the
  /// parameter.
  public var glide: UInt32?

  /// Creates a change from its values.
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
  /// The position of the first byte.
  public let offset: UInt32
  /// The number of bytes.
  public let count: UInt32

  /// Creates a range from its position and length.
  @inlinable
  public init(offset: UInt32, count: UInt32) {
    self.offset = offset
    self.count = count
  }
}

extension Span<UInt8> {
  /// Returns the bytes in a range.
  @inlinable @_lifetime(copy self)
  public func extracting(_ place: PayloadRange) -> Span<UInt8> {
    extracting(Int(place.offset)..<Int(place.offset) + Int(place.count))
  }
}
