// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// One event as a Standard MIDI File has it: note-on, note-off and end of track are events of their
/// own.
public struct FileEvent: Hashable, BitwiseCopyable, Sendable {
  /// The index of the track chunk, from 0.
  public let track: Int32
  /// The first data byte of a channel message; the type of a meta event.
  public let data1: UInt8
  /// The second data byte of a channel message; 0 where it has none.
  public let data2: UInt8
  /// The status: 0x80…0xEF, 0xF0 (SysEx), 0xF7 (packet), 0xFF (meta event).
  public let status: UInt8
  /// Ticks since the start of the track.
  public let tick: Tick
  /// Where the event's delta time begins in the file's bytes.
  public let offset: UInt32
  /// Where the bytes after the length lie; empty for a channel message.
  public let payload: PayloadRange

  /// The type of a meta event, or nil.
  public var metaType: UInt8? { status == 0xFF ? data1 : nil }
  /// Whether the event ends its track.
  public var isEndOfTrack: Bool { status == 0xFF && data1 == 0x2F }
  /// The channel of a channel message, or nil.
  public var channel: Channel? { status < 0xF0 ? Channel(index: status & 0x0F) : nil }
  /// The value of a pitch bend, 0…16383 with 8192 at rest.
  public var bend: Int { Int(data2) << 7 | Int(data1) }
}
