// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

extension MusicTrack {
  /// Moves the notes that begin in a range toward the lines of a grid.
  ///
  /// Each note moves a part of the way to the nearest line, rounded to the nearest tick, and keeps
  /// its duration. A note near the end of the range can move to the line at the end. Other events
  /// do not move. Notes that move to the same tick keep their order; notes of one key can overlap
  /// afterwards.
  ///
  /// - Parameters:
  ///   - range: The ticks, half open.
  ///   - grid: The lines.
  ///   - strength: The part of the way to the line that a note moves, 0…1; 1 by default.
  ///   - movesEnds: True to move the ends of the notes to the lines too. A note with a duration
  ///     stays at least one tick long.
  /// - Throws: `SequenceError.outOfRange` if `strength` is out of range or its denominator has more
  ///   than 31 bits.
  /// - Complexity: O(m log m) in the events of the range, plus O(n / 1024).
  public mutating func quantize(
    _ range: Range<Tick>, to grid: QuantizeGrid, strength: Ratio = 1, movesEnds: Bool = false
  ) throws(SequenceError) {
    guard strength >= 0, strength <= 1, strength.denominator <= Int128(Int32.max) else {
      throw .outOfRange("strength \(strength) is out of range (allowed: 0…1)")
    }
    let indices = records.indices(in: EditSpan(range, length: Tick(.max)))
    let changed = try records.rewriting(indices) { record throws(SequenceError) in
      guard record.isNote else { return record }
      let start = Self.drawn(record.tick, to: grid, strength)
      guard movesEnds else {
        let placed = try record.placed(from: start, to: start + record.duration)
        return start == record.tick ? placed : placed.releasedFirst
      }
      let end = Self.drawn(record.endTick, to: grid, strength)
      let placed = try record.placed(from: start, to: record.extent == 0 ? start : end)
      return placed.endTick == record.endTick ? placed : placed.releasedFirst
    }
    if !changed.elementsEqual(records) { setRecords(changed) }
  }

  private static func drawn(
    _ tick: UInt64, to grid: QuantizeGrid, _ strength: Ratio
  ) -> UInt64 {
    let distance = Int128(grid.line(nearestTo: tick)) - Int128(tick)
    let scaled = distance.magnitude * strength.numerator.magnitude
    let divisor = strength.denominator.magnitude
    // A half is rounded away from the old position.
    let way = Int128((2 * scaled + divisor) / (2 * divisor))
    return UInt64(clamping: Int128(tick) + (distance < 0 ? -way : way))
  }
}

extension EventRecord {
  /// The length of a note in ticks.
  var duration: UInt64 { UInt64(extent) }
}
