// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

extension MusicSequence {
  /// Replaces a track by one track for each channel, followed by one for the remaining events.
  ///
  /// - Parameters:
  ///   - index: The index of the track.
  ///   - range: The ticks, half open. Events outside go to the last track.
  /// - Throws: `SequenceError.outOfRange`; `SequenceError.notRepresentable` for a pattern of format
  ///   2, which has only one track.
  /// - Complexity: O(n) in the events of the track.
  public mutating func splitByChannel(
    track index: Int, in range: Range<Tick> = .allTicks
  ) throws(SequenceError) {
    _ = try indices(in: .track(index))
    let parts = try tracks[index].splitByChannel(in: range)
    guard parts.count > 1 else { return }
    guard format != .pattern else {
      throw .notRepresentable("tracks of format 2 cannot be split (convert to format 1 first)")
    }
    adoptTempoTrack()
    tracks.replaceSubrange(index...index, with: parts)
    if format == .single { format = .simultaneous }
  }

  /// Joins tracks into the first of them.
  ///
  /// The events of the other tracks that begin in the range are moved to the first track. A track
  /// that becomes empty is removed. Events at one tick keep the order in which they are sent.
  ///
  /// - Parameters:
  ///   - wanted: The indices of the tracks, in any order.
  ///   - range: The ticks, half open.
  /// - Throws: `SequenceError.outOfRange` if a track does not exist or payloads do not fit; the
  ///   sequence is then unchanged.
  /// - Complexity: O(n log n) in the events of the tracks.
  public mutating func join(
    _ wanted: [Int], in range: Range<Tick> = .allTicks
  ) throws(SequenceError) {
    let indices = try indices(in: .tracks(wanted))
    guard let first = indices.first, indices.count > 1 else { return }
    var copy = self
    var parts = [tracks[first]]
    for index in indices.dropFirst() {
      var part = try copy.tracks[index].extract(range)
      part.explicitLength = tracks[index].explicitLength
      parts.append(part)
    }
    copy.tracks[first] = try MusicTrack(joining: parts, ports: TrackPorts(self).order)
    let joined = Set(indices.dropFirst())
    copy.tracks = copy.tracks.indices.filter { !joined.contains($0) || !copy.tracks[$0].isEmpty }
      .map { copy.tracks[$0] }
    copy.adoptTempoTrack()
    self = copy
  }

  /// Marks the tempo track as edited, so that the writer does not look for its events in the bytes
  /// of the file's tracks, which have changed.
  mutating func adoptTempoTrack() {
    tempoTrack.source = nil
  }
}
