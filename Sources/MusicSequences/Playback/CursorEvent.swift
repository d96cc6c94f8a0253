// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// One event returned by a cursor: a message to send, or a meta event or parameter change for the
/// player.
public struct CursorEvent: Hashable, BitwiseCopyable, Sendable {
  /// The position of the event in ticks.
  public let tick: Tick
  /// The index of its track in the sequence.
  public let track: Int32
  /// The index of the event in its track; for a note-off, the index of its note.
  public let index: Int32
  /// The message or other content.
  public let kind: Kind
  /// The tick at which the note that begins here ends; for other events the same as `tick`.
  public let end: Tick
  /// The message that ends the note that begins here; nil for other events.
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

  /// The kinds of events.
  ///
  /// A `PayloadRange` refers to the bytes in `MusicTrack.payloadBytes` of the event's track.
  public enum Kind: Hashable, BitwiseCopyable, Sendable {
    /// A channel message.
    ///
    /// Every note is returned as a note-on and a note-off.
    case message(Message)
    /// A complete SysEx message, without F0 and F7.
    case sysEx(PayloadRange)
    /// Bytes that are sent unchanged: a part of a SysEx message (including F0), or an escape.
    case packet(PayloadRange)
    /// A meta event and its type.
    case meta(type: UInt8, PayloadRange)
    /// A change of a unit's parameter; `MusicTrack.parameter(at:)` reads it.
    case parameter(PayloadRange)
    /// Bytes that only the application interprets; they are not sent.
    case user(PayloadRange)
  }
}

/// A sounding note: its position in the sequence, its note-on and its note-off.
public struct HeldNote: Hashable, BitwiseCopyable, Sendable {
  /// The index of its track in the sequence.
  public var track: Int32
  /// The index of the note in its track.
  public var index: Int32
  /// The tick at which the note began.
  public var start: Tick
  /// The tick at which the note ends.
  public var end: Tick
  /// The note-on message.
  public var strike: Message
  /// The note-off message.
  public var release: Message
  /// The port of the note, counted from 0 (`TrackPorts`).
  public var port: UInt8

  /// Creates a held note from its values.
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
