// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
public import MusicalTime

/// What is left of a song where only a part of it is played.
extension MusicSequence {
  /// Ends every track at a tick, the tempo track too, as `MusicTrack.truncate(at:)` does.
  ///
  /// - Precondition: the tick is not below zero.
  /// - Complexity: O(n).
  public mutating func truncate(at end: Tick) {
    keepPorts(TrackPorts(self))
    tempoTrack.truncate(at: end)
    for index in tracks.indices { tracks[index].truncate(at: end) }
  }

  /// Removes the events of all channels but these, on every port; events without a channel and all
  /// lengths stay.
  ///
  /// - Parameter channels: bit n is channel index n.
  /// - Complexity: O(n).
  public mutating func keep(channels: UInt16) {
    keep(channels: PortChannels(channels))
  }

  /// Removes the events of all channels but these; events without a channel, all lengths, and the
  /// numbers of ports stay.
  ///
  /// - Parameter channels: the channels of each port.
  /// - Complexity: O(n).
  public mutating func keep(channels: PortChannels) {
    guard channels != .all else { return }
    let ports = TrackPorts(self)
    keepPorts(ports)
    for track in tracks.indices {
      tracks[track].keep { record, index in
        !record.isChannelMessage
          || channels[ports.port(of: track, at: index)] >> UInt16(record.status & 0x0F) & 1 != 0
      }
    }
  }

  /// Removes the notes that are struck while their channel plays drums, and all events of the channels
  /// that play nothing else; all lengths stay.
  ///
  /// - Parameter drums: When the channels of each port play drums.
  /// - Complexity: O(n log d) for d changes of channels.
  public mutating func removeDrums(_ drums: PortDrums) {
    let ports = TrackPorts(self)
    keepPorts(ports)
    for track in tracks.indices {
      tracks[track].removeDrums { drums[ports.port(of: track, at: $0)] }
    }
  }

  /// Whether any event of any track begins a note.
  ///
  /// - Complexity: O(n).
  public var hasNotes: Bool {
    tracks.contains { track in track.records.all.contains(where: \.isStrike) }
  }
}

extension MusicTrack {
  /// Ends the track at a tick: what begins there or later is removed, notes that sound there end
  /// there, and the tick becomes the explicit length.
  ///
  /// - Precondition: the tick is not below zero.
  /// - Complexity: O(n).
  public mutating func truncate(at end: Tick) {
    precondition(end >= .zero, "the end must not be negative")
    let limit = UInt64(end.value)
    let kept = records.records(in: 0..<records.firstIndex(atOrAfter: limit)).map { record in
      guard record.endTick > limit else { return record }
      var copy = record
      copy.extent = UInt32(limit - record.tick)
      return copy.releasedFirst
    }
    setRecords(RecordList(inOrder: kept))
    explicitLength = end
  }

  /// Removes the events of all channels but these; events without a channel and the length stay.
  ///
  /// - Parameter channels: bit n is channel index n.
  /// - Complexity: O(n).
  public mutating func keep(channels: UInt16) {
    keep { record, _ in
      !record.isChannelMessage || channels >> UInt16(record.status & 0x0F) & 1 != 0
    }
  }

  /// Removes drums; those of an event's port are found by its index.
  fileprivate mutating func removeDrums(_ drumsOfEvent: (Int) -> DrumChannels) {
    let offset = settings.boundedOffset
    keep { record, index in
      guard record.isChannelMessage else { return true }
      let drums = drumsOfEvent(index)
      let isOfDrums = drums.all >> UInt16(record.status & 0x0F) & 1 != 0
      guard record.isNote, !isOfDrums else { return !isOfDrums }
      let start = Tick(Int64(record.tick) + offset)
      return !drums.includes(Channel(index: record.status & 0x0F), at: start)
    }
  }

  fileprivate mutating func keep(_ isKept: (EventRecord, Int) -> Bool) {
    let length = length
    let kept = records.enumerated().filter { isKept($0.element, $0.offset) }.map(\.offset)
    guard kept.count < records.count else { return }
    setRecords(RecordList(inOrder: records.selecting(kept)))
    explicitLength = length
  }
}

extension EventRecord {
  /// Whether it is a note, or the start of one that was not paired.
  fileprivate var isStrike: Bool { isNote && data2 > 0 }
}
