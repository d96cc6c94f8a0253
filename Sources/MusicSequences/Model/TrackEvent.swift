// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// An event of a track and its tick.
public struct TrackEvent: Hashable, Sendable {
  /// When the event takes place.
  public var tick: Tick
  /// What takes place.
  public var content: Content

  /// Creates an event.
  public init(_ content: Content, at tick: Tick) {
    self.tick = tick
    self.content = content
  }

  /// The kinds of event.
  public enum Content: Hashable, Sendable {
    /// A note with its duration.
    case note(Note)
    /// A channel message that is not a note-on; note-offs are among them only where no note waits.
    case message(Message)
    /// The bytes after F0: with F7 at the end where the message is whole.
    case sysEx([UInt8])
    /// Bytes that go over the wire as they are: a later packet of SysEx, or an escape.
    case packet([UInt8])
    /// A meta event; never an end of track, which is the track's length.
    case meta(MetaEvent)
    /// A change of a unit's parameter.
    case parameter(ParameterEvent)
    /// Bytes that only the program knows.
    case user([UInt8])
  }
}

/// A note: one note-on, and one note-off a duration later.
///
/// Notes are equal wherever their note-offs stand among the other events of a tick: the same order
/// can be said in several ways.
public struct Note: Hashable, Sendable {
  /// The channel.
  public var channel: Channel
  /// The key.
  public var key: Key
  /// How hard the key is struck, 1…127.
  public var velocity: UInt8
  /// Ticks until the note-off, 0…2³² − 2; at 0 the note-off follows at the same tick.
  public var duration: Int64
  /// How fast the key is let go, 0…127; nil where the file released it with a note-on of
  /// velocity 0.
  public var releaseVelocity: UInt8?
  /// How many of the track's other events at the tick of the note-off come before it, 0…16383.
  ///
  /// Other note-offs do not count. With 0, the default, it comes before all of them.
  public var eventsBeforeRelease: Int

  /// Creates a note.
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

  /// Whether two notes have all in common but the place of the note-off among events of its tick.
  public static func == (one: Note, other: Note) -> Bool {
    one.channel == other.channel && one.key == other.key && one.velocity == other.velocity
      && one.duration == other.duration && one.releaseVelocity == other.releaseVelocity
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(channel)
    hasher.combine(key)
    hasher.combine(velocity)
    hasher.combine(duration)
    hasher.combine(releaseVelocity)
  }
}

/// A change of a unit's parameter, at once or as the end of a ramp.
public struct ParameterEvent: Hashable, Sendable {
  /// The parameter, as the unit numbers it.
  public var parameter: UInt32
  /// The part of the unit.
  public var scope: UInt32
  /// The element of the part.
  public var element: UInt32
  /// The value, in the parameter's unit.
  public var value: Float
  /// Whether the value is approached linearly from the event before.
  public var isRamp: Bool

  /// Creates a parameter event.
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
