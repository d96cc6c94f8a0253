// SPDX-License-Identifier: Apache-2.0
import MusicalTime

/// A position in the records of one track, and the first record of the current tick.
///
/// Ticks are ticks of the sequence, with the track's offset and the passes of its loop.
struct TrackReading: Sendable {
  private let records: RecordList
  private let offset: Int64
  private let loop: Loop?
  private var place = Place()
  private var group = Place()

  /// The repeated end of the track: its start and end in the track, and the passes after the first.
  private struct Loop: Sendable {
    let start: UInt64
    let end: UInt64
    let passes: Int

    var length: Int64 { Int64(end - start) }
  }

  private struct Place: BitwiseCopyable, Sendable {
    var chunk = 0
    var index = 0
    /// The difference between ticks of the sequence and ticks of the track.
    var shift: Int64 = 0
    var passesLeft = 0
  }

  /// Creates a position in a track as it is stored, without offset and loop.
  init(_ records: RecordList, from tick: UInt64) {
    self.records = records
    offset = 0
    loop = nil
    seek(to: tick)
  }

  /// Creates a position in a track as it is played, with its offset and loop.
  init(playing track: MusicTrack, from tick: UInt64) {
    records = track.records
    offset = track.settings.boundedOffset
    loop = Self.loop(of: track)
    seek(to: tick)
  }

  private static func loop(of track: MusicTrack) -> Loop? {
    guard let loop = track.settings.loop, loop.length > 0, loop.count == 0 || loop.count > 1
    else { return nil }
    let end = UInt64(track.length.value)
    let length = min(UInt64(loop.length), end)
    let start = end - length
    let first = track.records.firstIndex(atOrAfter: start)
    guard length > 0, first < track.records.count, track.records[first].tick < end else {
      return nil
    }
    return Loop(start: start, end: end, passes: loop.count == 0 ? .max : loop.count - 1)
  }

  /// The current record, at its tick in the sequence; nil at the end.
  var record: EventRecord? {
    guard place.chunk < records.chunks.count else { return nil }
    var record = records.chunks[place.chunk][place.index]
    if place.shift != 0 {
      record.tick = min(UInt64(Int64(record.tick) + place.shift), EventRecord.maximumTick)
    }
    return record
  }

  /// The index of the current record.
  var index: Int { records.starts[place.chunk] + place.index }

  /// The record at an index, at its tick in the track; nil if the index is out of range.
  func record(at index: Int) -> EventRecord? {
    index >= 0 && index < records.count ? records[index] : nil
  }

  /// The rank of a note's release among the records of its tick.
  ///
  /// 0, before all of them, if the track loops back before the note ends.
  func releaseRank(of record: EventRecord) -> UInt32 {
    if let loop, Int64(record.endTick) - place.shift >= Int64(loop.end) { return 0 }
    return UInt32(record.releaseRank)
  }

  /// Moves to the first record at or after a tick of the sequence.
  mutating func seek(to tick: UInt64) {
    let passed = passes(before: Int64(tick))
    place.shift = offset + passed * (loop?.length ?? 0)
    place.passesLeft = (loop?.passes ?? 0) - Int(passed)
    goTo(records.firstIndex(atOrAfter: UInt64(max(0, Int64(tick) - place.shift))))
    beginGroup()
  }

  /// Converts a tick of the sequence to a tick of the track, and returns the start of its pass.
  func ownTick(of tick: Int64) -> (tick: Int64, passStart: Int64) {
    let passed = passes(before: tick)
    guard let loop, passed > 0 else { return (tick - offset, 0) }
    return (tick - offset - passed * loop.length, Int64(loop.start))
  }

  /// The number of passes of the loop that have ended at a tick of the sequence.
  private func passes(before tick: Int64) -> Int64 {
    guard let loop, tick - offset >= Int64(loop.end) else { return 0 }
    let passed = (tick - offset - Int64(loop.end)) / loop.length + 1
    return min(Int64(clamping: loop.passes), passed)
  }

  mutating func advance() {
    place.index += 1
    if place.index == records.chunks[place.chunk].count {
      place.chunk += 1
      place.index = 0
    }
    if place.passesLeft > 0 { loopIfAtEnd() }
  }

  /// Marks the current record as the first of its tick, for `rewind`.
  mutating func beginGroup() {
    group = place
  }

  mutating func rewind() {
    place = group
  }

  private mutating func goTo(_ index: Int) {
    if index == records.count {
      place.chunk = records.chunks.count
      place.index = 0
    } else {
      place.chunk = records.chunk(holding: index)
      place.index = index - records.starts[place.chunk]
    }
    if place.passesLeft > 0 { loopIfAtEnd() }
  }

  private mutating func loopIfAtEnd() {
    guard let loop else { return }
    if place.chunk < records.chunks.count,
      records.chunks[place.chunk][place.index].tick < loop.end
    {
      return
    }
    // Events after the last possible tick are never played.
    guard place.shift + Int64(loop.end) + loop.length <= Int64(EventRecord.maximumTick) else {
      place.passesLeft = 0
      return
    }
    place.passesLeft -= 1
    place.shift += loop.length
    goTo(records.firstIndex(atOrAfter: loop.start))
  }
}
