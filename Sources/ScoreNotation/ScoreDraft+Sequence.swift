// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime

extension ScoreDraft {
  /// The finished sequence.
  func sequence() throws(ScoreError) -> MusicSequence {
    do {
      return try assembled()
    } catch {
      throw ScoreError(
        ScorePlace(), title ?? "", "cannot be written: \(error)", allowed: "a smaller score")
    }
  }

  private func assembled() throws(SequenceError) -> MusicSequence {
    let beats = PPQN(Int(ticksPerWhole / 4)).map { Division.ppqn($0) }
    let division = frames ?? beats ?? .standard
    var sequence = MusicSequence(division: division)
    let end = Tick(parts.map(\.state.position).max() ?? 0)
    sequence.tracks.append(try head(end: end))
    for part in parts { sequence.tracks.append(try Self.track(of: part, end: end)) }
    var seen: Set<Int64> = []
    // If several have one tick, the last applies.
    for (tick, tempo) in tempi.reversed() where seen.insert(tick).inserted {
      try sequence.insertTempo(tempo, at: Tick(tick))
    }
    seen = []
    for (tick, signature) in meters.reversed() where seen.insert(tick).inserted {
      try sequence.insertTimeSignature(signature, at: Tick(tick))
    }
    return try sequence.joined(for: format)
  }

  private func head(end: Tick) throws(SequenceError) -> MusicTrack {
    var track = MusicTrack()
    if let title { try track.insert(.meta(.text(title, type: .trackName)), at: .zero) }
    for (type, text) in texts { try track.insert(.meta(.text(text, type: type)), at: .zero) }
    for key in keys {
      let meta = MetaEvent.keySignature(sharps: key.sharps, isMinor: key.isMinor)
      try track.insert(.meta(meta), at: Tick(key.tick))
    }
    for marker in markers {
      try track.insert(.meta(.text(marker.text, type: .marker)), at: Tick(marker.tick))
    }
    track.explicitLength = end
    return track
  }

  private static func track(
    of part: PartDraft, end: Tick
  ) throws(SequenceError) -> MusicTrack {
    var track = MusicTrack()
    try track.insert(.meta(.text(part.name, type: .trackName)), at: .zero)
    var events = part.events.map { event in
      switch event.content {
      case .message(let message): TrackEvent(.message(message), at: Tick(event.tick))
      case .parameter(let parameter): TrackEvent(.parameter(parameter), at: Tick(event.tick))
      case .text(let kind, let text):
        TrackEvent(
          .meta(.text(text, type: kind == .lyric ? .lyric : .text)), at: Tick(event.tick))
      }
    }
    for note in part.playedNotes() {
      let key = Key(UInt8(note.key))
      events.append(
        TrackEvent(
          .note(
            Note(
              note.channel, key, velocity: UInt8(note.velocity), duration: note.length)),
          at: Tick(note.start)))
    }
    try track.insert(contentsOf: events)
    track.explicitLength = end
    track.settings.destination = part.unit
    track.settings.isAutomation = part.isAutomation
    return track
  }
}

extension MusicSequence {
  /// The sequence in a format; formats 0 and 2 have one track.
  fileprivate func joined(for format: Format) throws(SequenceError) -> MusicSequence {
    guard format != .simultaneous else { return self }
    var joined = try converted(to: .single)[0]
    joined.format = format
    return joined
  }
}
