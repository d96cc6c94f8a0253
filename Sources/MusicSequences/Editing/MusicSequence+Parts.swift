// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
public import MusicalTime

/// Reducing a song to the part that is played.
extension MusicSequence {
  /// Ends every track at a tick, including the tempo track, as `MusicTrack.truncate(at:)` does.
  ///
  /// - Precondition: The tick is not negative.
  /// - Complexity: O(n).
  public mutating func truncate(at end: Tick) {
    keepPorts(TrackPorts(self))
    tempoTrack.truncate(at: end)
    for index in tracks.indices { tracks[index].truncate(at: end) }
  }

  /// Removes the events of all channels that are not in a set, on every port.
  ///
  /// Events without a channel and all lengths are kept.
  ///
  /// - Parameter channels: The channels to keep; bit n is channel index n.
  /// - Complexity: O(n).
  public mutating func keep(channels: UInt16) {
    keep(channels: PortChannels(channels))
  }

  /// Removes the events of all channels that are not in a set.
  ///
  /// Events without a channel, all lengths and the port numbers are kept.
  ///
  /// - Parameter channels: The channels to keep on each port.
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

  /// Removes the notes and channels that play drums.
  ///
  /// All notes that begin while their channel plays drums are removed. If a channel plays only
  /// drums, its other events are removed too. All lengths are kept.
  ///
  /// - Parameter drums: The times at which the channels of each port play drums.
  /// - Complexity: O(n log d) for d changes of drum channels.
  public mutating func removeDrums(_ drums: PortDrums) {
    let ports = TrackPorts(self)
    keepPorts(ports)
    for track in tracks.indices {
      tracks[track].removeDrums { drums[ports.port(of: track, at: $0)] }
    }
  }

  /// True if any track contains the beginning of a note.
  ///
  /// - Complexity: O(n).
  public var hasNotes: Bool {
    tracks.contains { track in track.records.all.contains(where: \.isStrike) }
  }
}

extension MusicTrack {
  /// Ends the track at a tick.
  ///
  /// Events at or after the tick are removed, and notes that are sounding at the tick end there.
  /// The tick becomes the explicit length.
  ///
  /// - Precondition: The tick is not negative.
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

  /// Removes the events of all channels that are not in a set.
  ///
  /// Events without a channel and the length are kept.
  ///
  /// - Parameter channels: The channels to keep; bit n is channel index n.
  /// - Complexity: O(n).
  public mutating func keep(channels: UInt16) {
    keep { record, _ in
      !record.isChannelMessage || channels >> UInt16(record.status & 0x0F) & 1 != 0
    }
  }

  /// Removes drums; the argument returns the drum channels for the index of an event.
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
  /// True for a note, and for a note-on that was not paired with a note-off.
  fileprivate var isStrike: Bool { isNote && data2 > 0 }
}
