// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// One event as a Standard MIDI File stores it.
///
/// Note-ons, note-offs and ends of tracks are separate events.
public struct FileEvent: Hashable, BitwiseCopyable, Sendable {
  /// The index of the track chunk, from 0.
  public let track: Int32
  /// The first data byte of a channel message, or the type of a meta event.
  public let data1: UInt8
  /// The second data byte of a channel message; 0 if the message has only one.
  public let data2: UInt8
  /// The status byte: 0x80…0xEF for a channel message, 0xF0 (SysEx), 0xF7 (packet) or 0xFF (meta
  /// event).
  public let status: UInt8
  /// The ticks since the start of the track.
  public let tick: Tick
  /// The position of the event in the file's bytes, at its delta time.
  public let offset: UInt32
  /// The range of the event's content, which follows its length; empty for a channel message.
  public let payload: PayloadRange

  /// The type of a meta event; nil for other events.
  public var metaType: UInt8? { status == 0xFF ? data1 : nil }
  /// True if the event is an end of track.
  public var isEndOfTrack: Bool { status == 0xFF && data1 == 0x2F }
  /// The channel of a channel message; nil for other events.
  public var channel: Channel? { status < 0xF0 ? Channel(index: status & 0x0F) : nil }
  /// The value of the event if it is a pitch bend, 0…16383; 8192 is the centre.
  public var bend: Int { Int(data2) << 7 | Int(data1) }
}
