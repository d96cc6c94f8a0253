// SPDX-License-Identifier: Apache-2.0
import MusicalTime

/// Collects the events of a score that is not a Standard MIDI File.
struct ScoreBuilder {
  var tick: UInt64 = 0
  private(set) var log = RepairLog(limit: RepairLog.trackLimit)
  private var track = MusicTrack()
  private var records: [EventRecord] = []
  /// The notes of each channel and key, and the number of ended notes.
  ///
  /// The oldest note ends first.
  private var open: [Int: (notes: [Int], ended: Int)] = [:]

  mutating func advance(by ticks: UInt64) {
    tick = min(tick + min(ticks, EventRecord.maximumTick), EventRecord.maximumTick)
  }

  mutating func note(_ kind: Repair.Kind, at offset: Int, value: Int = 0) {
    log.append(
      Repair(kind, track: 0, tick: Tick(Int64(tick)), offset: offset, value: value))
  }

  mutating func message(_ status: UInt8, _ data1: UInt8, _ data2: UInt8 = 0) {
    records.append(EventRecord(tick: tick, status: status, data1: data1, data2: data2))
  }

  /// Adds a note of a known duration.
  mutating func note(_ status: UInt8, _ key: UInt8, velocity: UInt8, duration: UInt64) {
    let extent = UInt32(min(duration, UInt64(EventRecord.maximumDuration)))
    var record = EventRecord(
      tick: tick, status: status, data1: key, data2: velocity, extent: extent)
    record.releaseVelocity = 64
    records.append(record)
  }

  /// Begins a note that `endNote` ends.
  mutating func beginNote(_ status: UInt8, _ key: UInt8, velocity: UInt8) {
    open[Self.slot(status, key), default: ([], 0)].notes.append(records.count)
    note(status, key, velocity: velocity, duration: 0)
  }

  /// Ends the oldest open note of a channel and key, if there is one.
  mutating func endNote(_ status: UInt8, _ key: UInt8) {
    let slot = Self.slot(status, key)
    guard let (notes, ended) = open[slot], ended < notes.count else { return }
    open[slot]?.ended += 1
    close(notes[ended])
  }

  private mutating func close(_ index: Int) {
    let duration = tick - records[index].tick
    records[index].extent = UInt32(min(duration, UInt64(EventRecord.maximumDuration)))
  }

  private static func slot(_ status: UInt8, _ key: UInt8) -> Int {
    Int(status & 0x0F) << 7 | Int(key)
  }

  mutating func payload(_ status: UInt8, type: UInt8 = 0, _ bytes: ArraySlice<UInt8>) {
    let prefix = status == EventRecord.sysEx ? status : nil
    guard let offset = track.payloads.append(bytes, after: prefix) else { return }
    records.append(EventRecord(tick: tick, status: status, data1: type, extent: offset))
  }

  /// The score as a sequence of one track.
  ///
  /// Notes that are still open end with the score.
  mutating func sequence(
    _ division: Division, format: MusicSequence.Format
  ) -> MusicSequence {
    for (notes, ended) in open.values { for index in notes[ended...] { close(index) } }
    var sequence = MusicSequence(division: division, format: format)
    for record in records where track.isConductor(record) {
      let meta = track.event(for: record)
      do {
        try sequence.tempoTrack.insert(meta)
      } catch {
        note(.trackFull, at: 0)
      }
    }
    records.removeAll(where: track.isConductor)
    track.records = RecordList(sorting: records)
    track.setLength(fromFile: tick)
    sequence.tracks = [track]
    return sequence
  }
}
