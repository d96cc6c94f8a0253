// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
import MusicalTime

extension MusicSequence {
  /// True for each track that is audible.
  ///
  /// A track is audible if it is not muted and, if any unmuted track is soloed, is soloed too.
  public var audibleTracks: [Bool] {
    let settings = tracks.map(\.settings)
    let hasSolo = settings.contains { $0.isSoloed && !$0.isMuted }
    return settings.map { !$0.isMuted && (!hasSolo || $0.isSoloed) }
  }
}

extension MusicSequence {
  /// Returns the note that begins at the same tick and on the same track, channel and key as
  /// another note, or nil if none does.
  ///
  /// - Complexity: O(log n), plus the number of events at the tick.
  public func note(like held: HeldNote) -> HeldNote? {
    guard tracks.indices.contains(Int(held.track)) else { return nil }
    let start = UInt64(max(0, held.start.value))
    var reading = TrackReading(playing: tracks[Int(held.track)], from: start)
    while let record = reading.record, record.tick == start {
      if record.isNote, record.status == held.strike.status, record.data1 == held.strike.data1 {
        return HeldNote(
          track: held.track, index: Int32(truncatingIfNeeded: reading.index), start: held.start,
          end: Tick(Int64(record.endTick)), strike: held.strike,
          release: record.releaseMessage, port: held.port)
      }
      reading.advance()
    }
    return nil
  }
}

extension EventRecord {
  /// The message that ends a note, in the form that the file had.
  var releaseMessage: Message {
    has(Self.releasedByNoteOn)
      ? Message(status: status, data1: data1, data2: 0)
      : Message(status: status & 0x8F, data1: data1, data2: releaseVelocity)
  }
}

extension MusicSequence {
  /// The kind of cursor event for a record of a track; the tempo track follows the last track.
  ///
  /// The track is only needed for records with a payload.
  @inline(__always)
  func kind(of record: EventRecord, _ track: Int) -> CursorEvent.Kind {
    guard record.hasPayload else { return .message(Message(loneRelease: record)) }
    return track < tracks.count ? tracks[track].kind(of: record) : tempoTrack.kind(of: record)
  }
}

extension MusicTrack {
  /// The kind of cursor event for a record.
  func kind(of record: EventRecord) -> CursorEvent.Kind {
    guard record.hasPayload else { return .message(Message(loneRelease: record)) }
    let range = payloads.range(at: record.extent)
    switch record.status {
    case EventRecord.sysEx: return sysExKind(range)
    case EventRecord.packet: return .packet(range)
    case EventRecord.parameter: return .parameter(range)
    case EventRecord.user: return .user(range)
    default: return .meta(type: record.data1, range)
    }
  }

  /// The kind of a SysEx event.
  ///
  /// Without F7, it is only the first packet of a message.
  private func sysExKind(_ range: PayloadRange) -> CursorEvent.Kind {
    guard range.count >= 2, payloads[range].last == 0xF7 else { return .packet(range) }
    return .sysEx(PayloadRange(offset: range.offset + 1, count: range.count - 2))
  }

  /// Returns the parameter event in a payload range of a cursor event, or nil if the bytes are not
  /// one.
  public func parameter(at range: PayloadRange) -> ParameterEvent? {
    ParameterEvent(bytes: payloads[range])
  }
}

extension Message {
  /// The message of a record.
  ///
  /// A single note-off keeps the form that the file had.
  init(loneRelease record: EventRecord) {
    let isNoteOn = record.status & 0xF0 == 0x80 && record.has(EventRecord.releasedByNoteOn)
    self.init(
      status: isNoteOn ? record.status | 0x10 : record.status, data1: record.data1,
      data2: record.data2)
  }
}
