// SPDX-License-Identifier: Apache-2.0
package import CommandKit
internal import MIDIMessages
package import MusicSequences
internal import MusicalTime

/// Applies one operation of `edit`.
///
/// The times of its range are times in the song as the previous operations left it.
package struct SongEditor {
  package let step: EditStep
  package let range: EditRange
  package let tracks: TrackList?

  /// Creates an editor for one operation.
  package init(step: EditStep, range: EditRange, tracks: TrackList?) {
    self.step = step
    self.range = range
    self.tracks = tracks
  }

  package func edit(_ file: inout SequenceFile) throws {
    if case .format(let format, let arrangement) = step.operation {
      try refuse(step.tracks != nil || step.range != nil, "applies to the whole file")
      return try file.convert(to: format, arrangement: arrangement)
    }
    if case .deleteTrack = step.operation { return try deleteTracks(of: &file) }
    // In a file of format 2, each track is a pattern.
    let isPatterns = file.sequences.count > 1
    if case .channelValue(_, let channels) = step.operation {
      let chosen = isPatterns ? nil : tracks?.indices
      guard file.sequences.contains(where: { $0.plays(onAnyOf: channels, inTracks: chosen) }) else {
        throw SequenceError.outOfRange(
          "nothing is played on these channels (for drums: channel=10)")
      }
    }
    if isPatterns, let tracks {
      for index in tracks.indices { try edit(pattern: index, of: &file) }
    } else {
      for index in file.sequences.indices {
        try edit(&file.sequences[index], track: tracks?.indices)
      }
    }
    file.declaredTracks = UInt16(clamping: file.trackCount)
  }

  /// Returns the settings that a cut removes although they apply after its range.
  ///
  /// - Parameter file: The song before the operation.
  /// - Returns: The settings. They are empty if the operation is not a cut.
  /// - Throws: `Failure` if the range is not valid in the song.
  package func settingsLost(from file: SequenceFile) throws -> CutSettings {
    var lost = CutSettings()
    guard case .cut = step.operation else { return lost }
    let isPatterns = file.sequences.count > 1
    for (index, sequence) in file.sequences.enumerated() {
      if isPatterns, let tracks, !tracks.indices.contains(index) { continue }
      lost.add(
        try range.ticks(in: sequence), of: sequence, tracks: isPatterns ? nil : tracks?.indices)
    }
    return lost
  }

  private func deleteTracks(of file: inout SequenceFile) throws {
    guard let tracks else {
      throw Failure(.usage, "'\(step.text)' needs the tracks to delete (track=2,5)")
    }
    if file.sequences.count > 1 {
      let gone = Set(tracks.indices)
      let isThere = gone.allSatisfy { file.sequences.indices.contains($0) }
      guard isThere, gone.count < file.sequences.count else {
        throw SequenceError.outOfRange(
          "the file has \(file.sequences.count) patterns, and at least one must remain")
      }
      file.sequences = file.sequences.indices.filter { !gone.contains($0) }
        .map { file.sequences[$0] }
    } else if !file.sequences.isEmpty {
      try file.sequences[0].deleteTracks(tracks.indices)
    }
    file.declaredTracks = UInt16(clamping: file.trackCount)
  }

  private func edit(pattern index: Int, of file: inout SequenceFile) throws {
    guard file.sequences.indices.contains(index) else {
      throw SequenceError.outOfRange(
        "track \(index + 1) does not exist (number of tracks: \(file.sequences.count))")
    }
    try edit(&file.sequences[index], track: nil)
  }

  private func edit(_ sequence: inout MusicSequence, track indices: [Int]?) throws {
    let ticks = try range.ticks(in: sequence)
    let music = indices.map(EditScope.tracks) ?? .music
    let everything = indices.map(EditScope.tracks) ?? .everything
    switch step.operation {
    case .clear: try sequence.clear(ticks, in: music)
    case .cut: try sequence.cut(ticks, in: everything)
    case .copy(let place):
      let excerpt = try sequence.excerpt(of: ticks, in: everything)
      try sequence.insert(excerpt, at: place.tick(in: sequence))
    case .merge(let place):
      let excerpt = try sequence.excerpt(of: ticks, in: music)
      try sequence.merge(excerpt, at: place.tick(in: sequence))
    case .move(let distance):
      try sequence.move(ticks, by: distance.wholeTicks(in: sequence), in: music)
    case .insertTime(let distance, let place):
      let tick = try place?.tick(in: sequence) ?? ticks.lowerBound
      try sequence.insertTime(distance.wholeTicks(in: sequence), at: tick, in: everything)
    case .deleteTime: try sequence.deleteTime(ticks, in: everything)
    case .scaleTime(let factor): try sequence.scaleTime(ticks, by: factor, in: everything)
    case .tempo(let tempo):
      try refuse(indices != nil, "applies to all tracks")
      try sequence.setTempo(tempo, in: ticks)
    case .channelValue(let value, let channels):
      try sequence.set(value, channels: channels, over: ticks, in: music)
    case .unroll(let place):
      try refuse(step.range != nil, "applies to whole tracks")
      try sequence.writeOutLoops(
        until: place?.tick(in: sequence), in: music)
    case .reverse: try sequence.reverse(ticks, in: everything)
    case .retime(let tempo):
      try refuse(indices != nil, "applies to all tracks")
      try sequence.retime(ticks, to: tempo)
    default: try editNotes(of: &sequence, ticks, music)
    }
  }

  private func editNotes(
    of sequence: inout MusicSequence, _ ticks: Range<Tick>, _ scope: EditScope
  ) throws {
    switch step.operation {
    case .transpose(let semitones, let drums, let folds):
      try sequence.transpose(
        ticks, by: semitones, sparingDrums: !drums, folding: folds, in: scope)
    case .quantize(let step, let strength, let swing, let ends):
      let grid = try sequence.grid(step: step.ticks(in: sequence), swing: swing)
      try sequence.quantize(ticks, to: grid, strength: strength, movesEnds: ends, in: scope)
    case .velocity(let curve): try sequence.shapeVelocities(ticks, along: curve, in: scope)
    case .split:
      for index in Set(scope.tracks ?? Array(sequence.tracks.indices)).sorted(by: >) {
        try sequence.splitByChannel(track: index, in: ticks)
      }
    case .join: try sequence.join(scope.tracks ?? Array(sequence.tracks.indices), in: ticks)
    default: break
    }
  }

  private func refuse(_ condition: Bool, _ reason: String) throws(Failure) {
    if condition {
      throw Failure(.usage, "'\(step.text)' \(reason) (leave out range and track)")
    }
  }
}

extension MusicSequence {
  /// Removes tracks.
  ///
  /// - Throws: `SequenceError` if a track does not exist, or if no track would remain.
  fileprivate mutating func deleteTracks(_ indices: [Int]) throws {
    if let index = indices.first(where: { !tracks.indices.contains($0) }) {
      throw SequenceError.outOfRange(
        "track \(index + 1) does not exist (number of tracks: \(tracks.count))")
    }
    let gone = Set(indices)
    guard gone.count < tracks.count else {
      throw SequenceError.outOfRange("cannot delete all \(tracks.count) tracks")
    }
    tracks = tracks.indices.filter { !gone.contains($0) }.map { tracks[$0] }
  }
}
