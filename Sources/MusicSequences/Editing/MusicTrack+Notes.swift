// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
public import MusicalTime

/// Edits that change notes and leave them at their ticks.
///
/// A note is selected by the tick at which it begins, and changed whole.
extension MusicTrack {
  /// Moves the keys of notes, key pressures and lone note-offs that begin in a range.
  ///
  /// Key signatures stay as they are. Up and down by the same number are inverse.
  ///
  /// - Parameters:
  ///   - range: Half open.
  ///   - semitones: Keys, below zero for down.
  ///   - drums: The channels that are left as they are while they play drums, since their keys are
  ///     no pitches; nil for none. Their ticks are those of the sequence.
  ///   - folds: Whether a key that would leave 0…127 is brought back by octaves; moving back by the
  ///     same number is then no inverse.
  /// - Throws: `SequenceError.outOfRange` where a key would leave 0…127; nothing is then changed.
  /// - Complexity: O(m) in the events of the range, and O(n / 1024).
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
    // The octave nearest to where the key would have been.
    let remainder = (key % 12 + 12) % 12
    return UInt8(key < 0 ? remainder : remainder + (remainder <= 7 ? 120 : 108))
  }

  /// Changes the velocities of the notes that begin in a range; release velocities stay.
  ///
  /// - Parameters:
  ///   - range: Half open; a ramp ends at its end, or at the end of the track where that is
  ///     earlier.
  ///   - curve: What each velocity becomes.
  /// - Throws: `SequenceError.outOfRange` for factors of more digits than the arithmetic holds.
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

  /// Changes the records of a range where they stand; a track in which none changes is not edited.
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
