// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// What is left of a song where only a part of it is played.
extension MusicSequence {
  /// Ends the sequence at a tick: of every track, the tempo track too, as of `MusicTrack`.
  ///
  /// - Precondition: the tick is not below zero.
  /// - Complexity: O(n).
  public mutating func truncate(at end: Tick) {
    tempoTrack.truncate(at: end)
    for index in tracks.indices { tracks[index].truncate(at: end) }
  }

  /// Takes away what is on other channels than these; what is on no channel stays, and lengths do.
  ///
  /// - Parameter channels: bit n is channel index n.
  /// - Complexity: O(n).
  public mutating func keep(channels: UInt16) {
    guard channels != .max else { return }
    for index in tracks.indices { tracks[index].keep(channels: channels) }
  }

  /// Whether anything in it strikes a note.
  ///
  /// - Complexity: O(n).
  public var hasNotes: Bool {
    tracks.contains { track in track.records.all.contains(where: \.isStrike) }
  }
}

extension MusicTrack {
  /// Ends the track at a tick: what begins there or later is gone, notes that sound there end
  /// there, and the tick is the explicit length.
  ///
  /// - Precondition: the tick is not below zero.
  /// - Complexity: O(n).
  public mutating func truncate(at end: Tick) {
    precondition(end >= .zero, "a track ends at or after its beginning")
    let limit = UInt64(end.value)
    let kept = records.records(in: 0..<records.firstIndex(atOrAfter: limit)).map { record in
      guard record.endTick > limit else { return record }
      var copy = record
      copy.extent = UInt32(limit - record.tick)
      return copy
    }
    setRecords(RecordList(inOrder: kept))
    explicitLength = end
  }

  /// Takes away what is on other channels than these; what is on no channel stays, and the length
  /// does.
  ///
  /// - Parameter channels: bit n is channel index n.
  /// - Complexity: O(n).
  public mutating func keep(channels: UInt16) {
    let length = length
    let kept = records.all.filter { record in
      !record.isChannelMessage || channels >> UInt16(record.status & 0x0F) & 1 != 0
    }
    setRecords(RecordList(inOrder: kept))
    explicitLength = length
  }
}

extension EventRecord {
  /// Whether it is a note, or the start of one that was not paired.
  fileprivate var isStrike: Bool { isNote && data2 > 0 }
}
