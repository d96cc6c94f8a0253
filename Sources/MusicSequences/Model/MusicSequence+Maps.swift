// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

extension MusicSequence {
  /// The tempo changes, in order; a tempo of zero has no meaning and is left out.
  ///
  /// - Complexity: O(n) in the events of the tempo track.
  public var tempoChanges: [TempoChange] {
    var changes: [TempoChange] = []
    for record in tempoTrack.records where record.isMeta(0x51) {
      let meta = MetaEvent(type: 0x51, bytes: Array(tempoTrack.payloads.payload(of: record)))
      guard let tempo = meta.tempo else { continue }
      changes.append(TempoChange(tick: Tick(Int64(record.tick)), tempo: tempo))
    }
    return changes
  }

  /// The time signatures, in order, and their ticks; one without meaning is left out.
  ///
  /// - Complexity: O(n) in the events of the tempo track.
  public var timeSignatures: [(tick: Tick, signature: TimeSignature)] {
    var result: [(tick: Tick, signature: TimeSignature)] = []
    for record in tempoTrack.records where record.isMeta(0x58) {
      let bytes = Array(tempoTrack.payloads.payload(of: record))
      guard let signature = TimeSignature(metaBytes: bytes) else { continue }
      result.append((Tick(Int64(record.tick)), signature))
    }
    return result
  }

  /// The tempi over ticks: exact, and with tempo events of every track of the file.
  ///
  /// - Throws: `SequenceError.outOfRange` where the total time does not fit 64 bits.
  /// - Complexity: O(n log n) in the events of the tempo track: keep the map.
  public var tempoMap: TempoMap {
    get throws(SequenceError) {
      do {
        return try TempoMap(division: division, changes: tempoChanges)
      } catch {
        throw .outOfRange("\(error)")
      }
    }
  }

  /// The meters over quarter notes.
  ///
  /// - Throws: `SequenceError.outOfRange` where positions have no common unit in 64 bits.
  /// - Complexity: O(n log n) in the events of the tempo track: keep the map.
  public var meterMap: MeterMap {
    get throws(SequenceError) {
      let tempi = try tempoMap
      do {
        var changes: [MeterChange] = []
        for (tick, signature) in timeSignatures {
          let position = try tempi.quarters(at: tick)
          changes.append(MeterChange(position: position, signature: signature))
        }
        return try MeterMap(changes: changes)
      } catch {
        throw .outOfRange("\(error)")
      }
    }
  }

  /// Sets the tempo from a tick on.
  ///
  /// - Throws: `SequenceError.notRepresentable` above 16 777 215 µs a quarter note;
  ///   `SequenceError.beforeOrigin`.
  public mutating func insertTempo(_ tempo: Tempo, at tick: Tick) throws(SequenceError) {
    guard let meta = MetaEvent.tempo(tempo) else {
      throw .notRepresentable(
        "tempo of \(tempo.microsecondsPerQuarter) µs a quarter note, a file holds 1…16777215")
    }
    try tempoTrack.insert(.meta(meta), at: tick)
  }

  /// Sets the time signature from a tick on.
  ///
  /// - Throws: `SequenceError.beforeOrigin`.
  public mutating func insertTimeSignature(
    _ signature: TimeSignature, at tick: Tick
  ) throws(SequenceError) {
    let power = UInt8(signature.denominator.trailingZeroBitCount)
    let meta = MetaEvent.timeSignature(
      signature.numerator, denominatorPower: power, clocksPerClick: signature.clocksPerClick,
      thirtySecondsPerQuarter: signature.thirtySecondsPerQuarter)
    try tempoTrack.insert(.meta(meta), at: tick)
  }
}

extension EventRecord {
  func isMeta(_ type: UInt8) -> Bool { status == EventRecord.meta && data1 == type }
}

extension TimeSignature {
  /// Creates a meter from the four bytes of a meta event, or nil where they have no meaning.
  init?(metaBytes bytes: [UInt8]) {
    guard bytes.count == 4, bytes[0] > 0, bytes[1] < 16 else { return nil }
    do {
      try self.init(
        numerator: Int(bytes[0]), denominator: 1 << Int(bytes[1]), clocksPerClick: bytes[2],
        thirtySecondsPerQuarter: bytes[3] == 0 ? 8 : bytes[3])
    } catch {
      return nil
    }
  }
}
