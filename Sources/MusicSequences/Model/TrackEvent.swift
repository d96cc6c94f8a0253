// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// An event of a track and its tick.
public struct TrackEvent: Hashable, Sendable {
  /// The position of the event.
  public var tick: Tick
  /// The note, message, text or other content.
  public var content: Content

  /// Creates an event with a content at a tick.
  public init(_ content: Content, at tick: Tick) {
    self.tick = tick
    self.content = content
  }

  /// The kinds of events.
  public enum Content: Hashable, Sendable {
    /// A note with its duration.
    case note(Note)
    /// A channel message other than a note-on.
    ///
    /// A note-off is such an event only if it does not end a note.
    case message(Message)
    /// SysEx: the bytes after F0, with F7 at the end if the message is complete.
    case sysEx([UInt8])
    /// Bytes that are sent unchanged (event F7): a later packet of a SysEx message, or an escape.
    case packet([UInt8])
    /// A meta event.
    ///
    /// End of track is not an event, but the length of the track.
    case meta(MetaEvent)
    /// A change of an audio unit's parameter.
    case parameter(ParameterEvent)
    /// Bytes that only the application interprets; they are not sent.
    case user([UInt8])
  }
}

/// A note: a note-on, and a note-off after a duration.
///
/// When notes are compared, the position of the note-off among the other events of its tick
/// (`eventsBeforeRelease`) is ignored, because several values can describe the same order.
public struct Note: Hashable, Sendable {
  /// The MIDI channel on which the note is sent.
  public var channel: Channel
  /// The key number.
  public var key: Key
  /// The velocity of the note-on, 1…127.
  public var velocity: UInt8
  /// The duration in ticks, 0…2³² − 2.
  ///
  /// If it is 0, the note-off is at the same tick as the note-on.
  public var duration: Int64
  /// The velocity of the note-off, 0…127; nil if the file used a note-on with velocity 0 instead.
  public var releaseVelocity: UInt8?
  /// The number of the track's other events that precede the note-off at its tick, 0…16383.
  ///
  /// Note-offs of other notes are not counted. If it is 0, the default, the note-off precedes all
  /// other events of its tick.
  public var eventsBeforeRelease: Int

  /// Creates a note from its values.
  public init(
    _ channel: Channel, _ key: Key, velocity: UInt8 = 64, duration: Int64,
    releaseVelocity: UInt8? = 64, eventsBeforeRelease: Int = 0
  ) {
    self.channel = channel
    self.key = key
    self.velocity = velocity
    self.duration = duration
    self.releaseVelocity = releaseVelocity
    self.eventsBeforeRelease = eventsBeforeRelease
  }

  /// Returns true if the notes are equal, ignoring `eventsBeforeRelease`.
  public static func == (one: Note, other: Note) -> Bool {
    one.channel == other.channel && one.key == other.key && one.velocity == other.velocity
      && one.duration == other.duration && one.releaseVelocity == other.releaseVelocity
  }

  /// Adds the properties that `==` compares to a hash.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(channel)
    hasher.combine(key)
    hasher.combine(velocity)
    hasher.combine(duration)
    hasher.combine(releaseVelocity)
  }
}

/// A change of an audio unit's parameter, either at once or as the end of a ramp.
public struct ParameterEvent: Hashable, Sendable {
  /// The number of the parameter, as defined by the unit.
  public var parameter: UInt32
  /// The scope of the parameter, as defined by the unit.
  public var scope: UInt32
  /// The element of the scope, such as a channel or a bus, as defined by the unit.
  public var element: UInt32
  /// The value, in the parameter's physical unit.
  public var value: Float
  /// True if the value changes linearly from the previous event to this one.
  public var isRamp: Bool

  /// Creates a parameter event from its values.
  public init(
    parameter: UInt32, scope: UInt32 = 0, element: UInt32 = 0, value: Float, isRamp: Bool = false
  ) {
    self.parameter = parameter
    self.scope = scope
    self.element = element
    self.value = value
    self.isRamp = isRamp
  }
}
