// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A copy of a range of several tracks, for pasting into the same tracks of any sequence.
public struct SequenceExcerpt: Sendable {
  /// The length of the copied range in ticks.
  ///
  /// The range ends at the end of the sequence at the latest.
  public let length: Int64
  /// The tracks from which the excerpt was copied.
  public let scope: EditScope
  let tempoTrack: TrackExcerpt?
  let tracks: [Int: TrackExcerpt]
}

extension MusicSequence {
  /// Copies the events that begin in a range.
  ///
  /// - Parameters:
  ///   - range: The ticks, half open; the part after the end of the sequence is ignored.
  ///   - scope: The tracks to copy from.
  /// - Returns: The copy.
  /// - Throws: `SequenceError.outOfRange` if a track does not exist.
  /// - Complexity: O(n).
  public func excerpt(
    of range: Range<Tick>, in scope: EditScope = .everything
  ) throws(SequenceError) -> SequenceExcerpt {
    let span = EditSpan(range, length: length)
    var parts: [Int: TrackExcerpt] = [:]
    for index in try indices(in: scope) { parts[index] = tracks[index].excerpt(of: span) }
    return SequenceExcerpt(
      length: Int64(span.length), scope: scope,
      tempoTrack: scope.includesTempoTrack ? tempoTrack.excerpt(of: span) : nil, tracks: parts)
  }

  /// Removes the events that begin in a range and closes the gap, as `MusicTrack.cut` does.
  ///
  /// Tempi and meters that are set in the range are also removed; `deleteTime` keeps the last of
  /// them, so that they still apply to later events.
  ///
  /// - Parameters:
  ///   - range: The ticks, half open; the part after the end of the sequence is ignored.
  ///   - scope: The tracks to cut.
  /// - Returns: The removed events; `insert(_:at:)` at the start of the range restores them.
  /// - Throws: `SequenceError.outOfRange` if a track does not exist.
  /// - Complexity: O(n).
  @discardableResult
  public mutating func cut(
    _ range: Range<Tick>, in scope: EditScope = .everything
  ) throws(SequenceError) -> SequenceExcerpt {
    let result = try excerpt(of: range, in: scope)
    let span = EditSpan(range, length: length)
    try edit(scope) { track throws(SequenceError) in track.cut(span) }
    return result
  }

  /// Opens a gap at a tick and inserts an excerpt, as `MusicTrack.insert(_:at:)` does.
  ///
  /// An excerpt of all tracks opens the gap in all tracks. Missing tracks are added.
  ///
  /// - Throws: The errors of `MusicTrack.insert(_:at:)`; the sequence is then unchanged.
  /// - Complexity: O(n + m) for m events in the excerpt.
  public mutating func insert(
    _ excerpt: SequenceExcerpt, at tick: Tick
  ) throws(SequenceError) {
    var copy = self
    copy.addTracks(for: excerpt)
    let silence = TrackExcerpt(silenceOf: excerpt.length)
    let targets = excerpt.scope.tracks ?? Array(copy.tracks.indices)
    for index in Set(targets) {
      try copy.tracks[index].insert(excerpt.tracks[index] ?? silence, at: tick)
    }
    if let part = excerpt.tempoTrack { try copy.tempoTrack.insert(part, at: tick) }
    self = copy
  }

  /// Adds the events of an excerpt at a tick.
  ///
  /// Existing events do not move.
  ///
  /// - Throws: The errors of `MusicTrack.merge(_:at:)`; the sequence is then unchanged.
  /// - Complexity: O(m) in the events of the excerpt and of the range that it covers.
  public mutating func merge(
    _ excerpt: SequenceExcerpt, at tick: Tick
  ) throws(SequenceError) {
    var copy = self
    copy.addTracks(for: excerpt)
    for (index, part) in excerpt.tracks { try copy.tracks[index].merge(part, at: tick) }
    if let part = excerpt.tempoTrack { try copy.tempoTrack.merge(part, at: tick) }
    self = copy
  }

  private mutating func addTracks(for excerpt: SequenceExcerpt) {
    let needed = (excerpt.tracks.keys.max() ?? -1) + 1
    while tracks.count < needed { tracks.append(MusicTrack()) }
  }
}
