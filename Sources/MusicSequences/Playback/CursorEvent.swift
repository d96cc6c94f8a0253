// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// One event of a cursor: bytes for the wire, or a fact that the player is told; a trivial value.
public struct CursorEvent: Hashable, BitwiseCopyable, Sendable {
  /// When it is due.
  public let tick: Tick
  /// The index of its track in the sequence.
  public let track: Int32
  /// The index of the event in its track; for a note-off that of its note.
  public let index: Int32
  /// What is due.
  public let kind: Kind
  /// When the note that begins here ends; for everything else the event's own tick.
  public let end: Tick
  /// The message that ends the note that begins here.
  public let release: Message?
  /// The port of the event, counted from 0 (`TrackPorts`).
  public let port: UInt8

  init(
    tick: Tick, track: Int32, index: Int32, kind: Kind, end: Tick? = nil,
    release: Message? = nil, port: UInt8 = 0
  ) {
    self.tick = tick
    self.track = track
    self.index = index
    self.kind = kind
    self.end = end ?? tick
    self.release = release
    self.port = port
  }

  /// The kinds of event; a `PayloadRange` is a place in the track's `payloadBytes`.
  public enum Kind: Hashable, BitwiseCopyable, Sendable {
    /// A channel message; every note gives a note-on and a note-off.
    case message(Message)
    /// A whole SysEx message, without its F0 and F7.
    case sysEx(PayloadRange)
    /// Bytes that go over the wire as they are: part of a divided SysEx (with F0), or an escape.
    case packet(PayloadRange)
    /// A meta event and its type.
    case meta(type: UInt8, PayloadRange)
    /// A change of a unit's parameter: `MusicTrack.parameter(at:)` reads it.
    case parameter(PayloadRange)
    /// Bytes that only the program knows.
    case user(PayloadRange)
  }
}

/// A note that sounds: its place in the sequence, and the message that ends it.
public struct HeldNote: Hashable, BitwiseCopyable, Sendable {
  /// The index of its track in the sequence.
  public var track: Int32
  /// The index of the note in its track.
  public var index: Int32
  /// When it began.
  public var start: Tick
  /// When it ends.
  public var end: Tick
  /// The message that begins it.
  public var strike: Message
  /// The message that ends it.
  public var release: Message
  /// The port of the note, counted from 0 (`TrackPorts`).
  public var port: UInt8

  /// Creates a held note.
  public init(
    track: Int32, index: Int32, start: Tick, end: Tick, strike: Message, release: Message,
    port: UInt8 = 0
  ) {
    self.track = track
    self.index = index
    self.start = start
    self.end = end
    self.strike = strike
    self.release = release
    self.port = port
  }
}
