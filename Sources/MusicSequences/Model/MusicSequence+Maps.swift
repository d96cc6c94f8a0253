// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

extension MusicSequence {
  /// The tempo changes, in order.
  ///
  /// Tempi of zero are invalid and are left out.
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

  /// The time signatures, in order, with their ticks.
  ///
  /// Invalid ones are left out.
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

  /// The exact conversion between ticks and time, from the tempo events of all tracks of the file.
  ///
  /// - Throws: `SequenceError.outOfRange` if the total time does not fit into 64 bits.
  /// - Complexity: O(n log n) in the events of the tempo track; store the map if you need it
  ///   repeatedly.
  public var tempoMap: TempoMap {
    get throws(SequenceError) {
      do {
        return try TempoMap(division: division, changes: tempoChanges)
      } catch {
        throw .outOfRange("\(error)")
      }
    }
  }

  /// The map of time signatures, with positions in quarter notes.
  ///
  /// - Throws: `SequenceError.outOfRange` if the positions do not have a common unit in 64 bits.
  /// - Complexity: O(n log n) in the events of the tempo track; store the map if you need it
  ///   repeatedly.
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

  /// Sets the tempo from a tick on, and removes other tempi at that tick.
  ///
  /// - Returns: The stored tempo; see `insertTempo(_:at:)`.
  /// - Throws: The errors of `insertTempo(_:at:)`.
  @discardableResult
  public mutating func setTempo(
    _ tempo: Tempo, at tick: Tick
  ) throws(SequenceError) -> Converted<Tempo> {
    let held = try Self.held(tempo)
    try setMeta(MetaEvent(type: 0x51, bytes: held.value.payload), at: tick)
    return held.map(\.tempo)
  }

  /// Adds a tempo that applies from a tick on.
  ///
  /// Existing tempo events at the tick are kept, and the last of them applies. `setTempo(_:at:)`
  /// replaces them.
  ///
  /// A sequence stores tempi as a file does, in whole microseconds per quarter note. For example,
  /// 130 beats per minute are 461 538.46 µs, stored as 461 538 µs, which are 130.000 13 beats per
  /// minute.
  ///
  /// - Returns: The stored tempo, which is the nearest in whole microseconds, and the rounding
  ///   error in microseconds per quarter note.
  /// - Throws: `SequenceError.notRepresentable` above 16 777 215 µs per quarter note;
  ///   `SequenceError.beforeOrigin`.
  @discardableResult
  public mutating func insertTempo(
    _ tempo: Tempo, at tick: Tick
  ) throws(SequenceError) -> Converted<Tempo> {
    let held = try Self.held(tempo)
    try tempoTrack.insert(.meta(MetaEvent(type: 0x51, bytes: held.value.payload)), at: tick)
    return held.map(\.tempo)
  }

  /// A tempo, rounded to the form that a file stores.
  private static func held(_ tempo: Tempo) throws(SequenceError) -> Converted<SetTempo> {
    do {
      return try SetTempo.at(tempo, rounding: .nearest)
    } catch {
      throw .notRepresentable(
        "tempo of \(tempo.microsecondsPerQuarter) µs per quarter note is out of range "
          + "(allowed: 1…16777215)")
    }
  }

  /// Sets a meta event at a tick, in place of others of its type.
  private mutating func setMeta(_ meta: MetaEvent, at tick: Tick) throws(SequenceError) {
    let added = try tempoTrack.insert(.meta(meta), at: tick)
    let place = tempoTrack.records[added].tick
    for index in (tempoTrack.records.firstIndex(atOrAfter: place)..<added).reversed()
    where tempoTrack.records[index].isMeta(meta.type) {
      tempoTrack.remove(at: index)
    }
  }

  /// Adds a time signature that applies from a tick on.
  ///
  /// Existing time signatures at the tick are kept, and the last of them applies.
  ///
  /// - Throws: `SequenceError.beforeOrigin` if the tick is negative.
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
  /// Creates a meter from the four bytes of a meta event, or returns nil if they are not valid.
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
