// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// The edits of `MusicTrack`, made to several tracks at once.
///
/// `MusicTrack` says for each edit what becomes of notes that lie across an end of the range, of
/// lengths, and of the order of events at one tick. Ranges and distances count to the end of the
/// whole sequence, so that tracks stay together. An edit that moves events keeps each on its port, also in
/// a track that changes ports.
extension MusicSequence {
  /// Removes the events that begin in a range; nothing else moves.
  ///
  /// - Throws: `SequenceError.outOfRange` where there is no such track.
  public mutating func clear(
    _ range: Range<Tick>, in scope: EditScope = .music
  ) throws(SequenceError) {
    try edit(scope) { track throws(SequenceError) in track.clear(range) }
  }

  /// Moves the events that begin in a range.
  ///
  /// - Throws: `SequenceError.beforeOrigin`, `SequenceError.outOfRange`.
  public mutating func move(
    _ range: Range<Tick>, by distance: Int64, in scope: EditScope = .music
  ) throws(SequenceError) {
    try editByPort(scope) { track, _ throws(SequenceError) in
      try track.move(range, by: distance)
    }
  }

  /// Adds time at a tick; the tempo and the meter before the tick hold in the new time.
  ///
  /// - Throws: `SequenceError.beforeOrigin` for a tick below zero; `SequenceError.outOfRange` for a
  ///   length below zero, and where there is no such track or a tick does not fit.
  public mutating func insertTime(
    _ ticks: Int64, at tick: Tick, in scope: EditScope = .everything
  ) throws(SequenceError) {
    try edit(scope) { track throws(SequenceError) in try track.insertTime(ticks, at: tick) }
  }

  /// Takes a range of time away; what follows keeps its tempo, its meter and its sound.
  ///
  /// - Throws: `SequenceError.outOfRange` where there is no such track.
  public mutating func deleteTime(
    _ range: Range<Tick>, in scope: EditScope = .everything
  ) throws(SequenceError) {
    let span = EditSpan(range, length: length)
    try edit(scope) { track throws(SequenceError) in track.deleteTime(span) }
  }

  /// Stretches or compresses a range of time.
  ///
  /// - Throws: `SequenceError.outOfRange`.
  public mutating func scaleTime(
    _ range: Range<Tick>, by factor: Ratio, in scope: EditScope = .everything
  ) throws(SequenceError) {
    let span = EditSpan(range, length: length)
    try edit(scope) { track throws(SequenceError) in try track.scaleTime(span, by: factor) }
  }

  /// Turns a range round in time; in the scope `everything` it lasts exactly as many seconds as
  /// before.
  ///
  /// - Throws: `SequenceError.outOfRange`.
  public mutating func reverse(
    _ range: Range<Tick> = .allTicks, in scope: EditScope = .everything
  ) throws(SequenceError) {
    let length = length
    let span = EditSpan(range, length: length)
    try editByPort(scope) { track, _ throws(SequenceError) in try track.reverse(span) }
    // Where only a tempo event reached so far, a track must now say it: the file's tempo track
    // has no end of its own.
    let reach = tracks.reduce(Tick.zero) { max($0, $1.length) }
    if reach < length, !tracks.isEmpty { tracks[0].explicitLength = length }
  }

  /// Moves the keys of the notes that begin in a range.
  ///
  /// - Parameters:
  ///   - range: Half open.
  ///   - semitones: Keys, below zero for down.
  ///   - sparesDrums: Whether channels stay as they are while they play drums (`portDrums`).
  ///   - folds: Whether a key that would leave 0…127 is brought back by octaves.
  ///   - scope: The tracks.
  /// - Throws: `SequenceError.outOfRange` where a key would leave 0…127.
  public mutating func transpose(
    _ range: Range<Tick>, by semitones: Int, sparingDrums sparesDrums: Bool = true,
    folding folds: Bool = false, in scope: EditScope = .music
  ) throws(SequenceError) {
    let drums = sparesDrums ? portDrums : nil
    try editByPort(scope) { track, port throws(SequenceError) in
      try track.transpose(range, by: semitones, sparing: drums?[port], folding: folds)
    }
  }

  /// Changes the velocities of the notes that begin in a range.
  ///
  /// - Throws: `SequenceError.outOfRange`.
  public mutating func shapeVelocities(
    _ range: Range<Tick>, along curve: VelocityCurve, in scope: EditScope = .music
  ) throws(SequenceError) {
    let span = EditSpan(range, length: length)
    try edit(scope) { track throws(SequenceError) in
      try track.shapeVelocities(span, along: curve)
    }
  }

  /// Draws the notes that begin in a range to the lines of a grid.
  ///
  /// - Throws: `SequenceError.outOfRange`.
  public mutating func quantize(
    _ range: Range<Tick>, to grid: QuantizeGrid, strength: Ratio = 1, movesEnds: Bool = false,
    in scope: EditScope = .music
  ) throws(SequenceError) {
    try editByPort(scope) { track, _ throws(SequenceError) in
      try track.quantize(range, to: grid, strength: strength, movesEnds: movesEnds)
    }
  }

  /// A grid that begins anew wherever the meter changes, since a bar begins there.
  ///
  /// - Throws: `SequenceError.outOfRange`.
  public func grid(
    step: Ratio, swing: Ratio = Ratio(1, over: 2)
  ) throws(SequenceError) -> QuantizeGrid {
    try QuantizeGrid(step: step, swing: swing, origins: timeSignatures.map(\.tick))
  }
}
