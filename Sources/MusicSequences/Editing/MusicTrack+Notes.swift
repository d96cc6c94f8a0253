// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
public import MusicalTime

/// Edits that change notes but not their ticks.
///
/// A note is selected if it begins in the range, and is changed as a whole.
extension MusicTrack {
  /// Transposes the notes, key pressures and single note-offs that begin in a range.
  ///
  /// Key signatures are not changed. Transposing up and down by the same number restores the track.
  ///
  /// - Parameters:
  ///   - range: The ticks, half open.
  ///   - semitones: The distance in semitones; negative for down.
  ///   - drums: The channels to leave unchanged while they play drums, because their keys are not
  ///     pitches; nil to transpose all channels. The ticks of this value are those of the sequence,
  ///     without the track's offset.
  ///   - folds: True to move keys by octaves until they are in 0…127. Transposing back does not
  ///     undo this.
  /// - Throws: `SequenceError.outOfRange` if a key would leave 0…127 and `folds` is false; nothing
  ///   is then changed.
  /// - Complexity: O(m) in the events of the range, plus O(n / 1024).
  public mutating func transpose(
    _ range: Range<Tick>, by semitones: Int, sparing drums: DrumChannels? = .generalMIDI,
    folding folds: Bool = false
  ) throws(SequenceError) {
    let offset = settings.boundedOffset
    try change(range) { record throws(SequenceError) in
      guard (0x80...0xAF).contains(record.status) else { return record }
      let channel = Channel(index: record.status & 0x0F)
      let tick = Tick(Int64(record.tick) + offset)
      if let drums, drums.includes(channel, at: tick) { return record }
      var copy = record
      copy.data1 = try Self.key(record, semitones, folds)
      return copy
    }
  }

  private static func key(
    _ record: EventRecord, _ semitones: Int, _ folds: Bool
  ) throws(SequenceError) -> UInt8 {
    let (key, overflow) = Int(record.data1).addingReportingOverflow(semitones)
    if !overflow, (0...127).contains(key) { return UInt8(key) }
    guard folds, !overflow else {
      throw .outOfRange(
        "key \(record.data1) at tick \(record.tick) transposed by \(semitones) is outside 0…127 "
          + "(fold moves it back by octaves)")
    }
    // The octave nearest to the transposed key.
    let remainder = (key % 12 + 12) % 12
    return UInt8(key < 0 ? remainder : remainder + (remainder <= 7 ? 120 : 108))
  }

  /// Changes the velocities of the notes that begin in a range.
  ///
  /// Release velocities are not changed.
  ///
  /// - Parameters:
  ///   - range: The ticks, half open. A ramp ends at the end of the range or of the track,
  ///     whichever is earlier.
  ///   - curve: The rule for new velocities.
  /// - Throws: `SequenceError.outOfRange` if a factor has more digits than the arithmetic supports.
  /// - Complexity: O(n).
  public mutating func shapeVelocities(
    _ range: Range<Tick>, along curve: VelocityCurve
  ) throws(SequenceError) {
    try shapeVelocities(EditSpan(range, length: length), along: curve)
  }

  mutating func shapeVelocities(
    _ span: EditSpan, along curve: VelocityCurve
  ) throws(SequenceError) {
    try change(span) { record throws(SequenceError) in
      guard record.isNote else { return record }
      var copy = record
      do {
        copy.data2 = try curve.velocity(
          of: record.data2, at: record.tick - span.start, of: span.length)
      } catch {
        throw .outOfRange("velocity \(record.data2) at tick \(record.tick): \(error)")
      }
      return copy
    }
  }

  private mutating func change(
    _ range: Range<Tick>, _ change: (EventRecord) throws(SequenceError) -> EventRecord
  ) throws(SequenceError) {
    try self.change(EditSpan(range, length: Tick(.max)), change)
  }

  /// Changes the records of a range in place.
  ///
  /// If none changes, the track does not count as edited.
  private mutating func change(
    _ span: EditSpan, _ change: (EventRecord) throws(SequenceError) -> EventRecord
  ) throws(SequenceError) {
    let indices = records.indices(in: span)
    let old = records.records(in: indices)
    var new: [EventRecord] = []
    new.reserveCapacity(old.count)
    for record in old { new.append(try change(record)) }
    if new != old { setRecords(records.replacing(indices, with: new)) }
  }
}
