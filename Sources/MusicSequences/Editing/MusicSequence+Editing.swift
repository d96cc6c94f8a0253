// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// The edits of `MusicTrack`, applied to several tracks at once.
///
/// `MusicTrack` documents how each edit treats notes that cross an end of the range, lengths, and
/// the order of events at one tick. Ranges and distances are measured to the end of the whole
/// sequence, so tracks stay together. An edit that moves events keeps each event on its port, even
/// in a track that changes ports.
extension MusicSequence {
  /// Removes the events that begin in a range.
  ///
  /// Other events do not move.
  ///
  /// - Throws: `SequenceError.outOfRange` if a track does not exist.
  public mutating func clear(
    _ range: Range<Tick>, in scope: EditScope = .music
  ) throws(SequenceError) {
    try edit(scope) { track throws(SequenceError) in track.clear(range) }
  }

  /// Moves the events that begin in a range.
  ///
  /// - Parameters:
  ///   - range: The ticks of the events, half open.
  ///   - distance: The distance in ticks; negative for earlier.
  ///   - scope: The tracks to edit.
  /// - Throws: `SequenceError.beforeOrigin` if an event would be before tick 0;
  ///   `SequenceError.outOfRange` if a track does not exist or a tick does not fit.
  public mutating func move(
    _ range: Range<Tick>, by distance: Int64, in scope: EditScope = .music
  ) throws(SequenceError) {
    try editByPort(scope) { track, _ throws(SequenceError) in
      try track.move(range, by: distance)
    }
  }

  /// Inserts time at a tick.
  ///
  /// The tempo and meter before the tick also apply to the new time.
  ///
  /// - Throws: `SequenceError.beforeOrigin` if the tick is negative; `SequenceError.outOfRange` if
  ///   the length is negative, a track does not exist, or a tick does not fit.
  public mutating func insertTime(
    _ ticks: Int64, at tick: Tick, in scope: EditScope = .everything
  ) throws(SequenceError) {
    try edit(scope) { track throws(SequenceError) in try track.insertTime(ticks, at: tick) }
  }

  /// Removes a range of time and moves later events earlier to close the gap.
  ///
  /// Events in the range that set the tempo, the meter or the sound of later events are kept at its
  /// start.
  ///
  /// - Throws: `SequenceError.outOfRange` if a track does not exist.
  public mutating func deleteTime(
    _ range: Range<Tick>, in scope: EditScope = .everything
  ) throws(SequenceError) {
    let span = EditSpan(range, length: length)
    try edit(scope) { track throws(SequenceError) in track.deleteTime(span) }
  }

  /// Stretches or compresses a range of time.
  ///
  /// - Parameters:
  ///   - range: The ticks, half open; the part after the end of the sequence is ignored.
  ///   - factor: The new length divided by the old, above 0.
  ///   - scope: The tracks to edit.
  /// - Throws: `SequenceError.outOfRange` if a track does not exist, or as in
  ///   `MusicTrack.scaleTime`.
  public mutating func scaleTime(
    _ range: Range<Tick>, by factor: Ratio, in scope: EditScope = .everything
  ) throws(SequenceError) {
    let span = EditSpan(range, length: length)
    try edit(scope) { track throws(SequenceError) in try track.scaleTime(span, by: factor) }
  }

  /// Reverses a range in time.
  ///
  /// With the scope `everything`, the range lasts exactly as many seconds as before.
  ///
  /// - Throws: `SequenceError.outOfRange` if a track does not exist or payloads do not fit.
  public mutating func reverse(
    _ range: Range<Tick> = .allTicks, in scope: EditScope = .everything
  ) throws(SequenceError) {
    let length = length
    let span = EditSpan(range, length: length)
    try editByPort(scope) { track, _ throws(SequenceError) in try track.reverse(span) }
    // If only a tempo event reached the end so far, a track now gets an explicit length: the end of
    // the file's tempo track is not stored separately.
    let reach = tracks.reduce(Tick.zero) { max($0, $1.length) }
    if reach < length, !tracks.isEmpty { tracks[0].explicitLength = length }
  }

  /// Transposes the notes that begin in a range.
  ///
  /// - Parameters:
  ///   - range: The ticks, half open.
  ///   - semitones: The distance in semitones; negative for down.
  ///   - sparesDrums: True to leave a channel unchanged while it plays drums (`portDrums`).
  ///   - folds: True to move keys by octaves until they are in 0…127.
  ///   - scope: The tracks to edit.
  /// - Throws: `SequenceError.outOfRange` if a key would leave 0…127 and `folds` is false.
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
  /// - Throws: `SequenceError.outOfRange` if a track does not exist, or as in
  ///   `MusicTrack.shapeVelocities`.
  public mutating func shapeVelocities(
    _ range: Range<Tick>, along curve: VelocityCurve, in scope: EditScope = .music
  ) throws(SequenceError) {
    let span = EditSpan(range, length: length)
    try edit(scope) { track throws(SequenceError) in
      try track.shapeVelocities(span, along: curve)
    }
  }

  /// Moves the notes that begin in a range toward the lines of a grid.
  ///
  /// See `MusicTrack.quantize` for the parameters.
  ///
  /// - Throws: `SequenceError.outOfRange` if a track does not exist, or as in
  ///   `MusicTrack.quantize`.
  public mutating func quantize(
    _ range: Range<Tick>, to grid: QuantizeGrid, strength: Ratio = 1, movesEnds: Bool = false,
    in scope: EditScope = .music
  ) throws(SequenceError) {
    try editByPort(scope) { track, _ throws(SequenceError) in
      try track.quantize(range, to: grid, strength: strength, movesEnds: movesEnds)
    }
  }

  /// Creates a grid that restarts at every time signature, because each begins a new bar.
  ///
  /// - Throws: `SequenceError.outOfRange` if `step` or `swing` is out of range, as in
  ///   `QuantizeGrid`.
  public func grid(
    step: Ratio, swing: Ratio = Ratio(1, over: 2)
  ) throws(SequenceError) -> QuantizeGrid {
    try QuantizeGrid(step: step, swing: swing, origins: timeSignatures.map(\.tick))
  }
}
