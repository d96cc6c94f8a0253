// SPDX-License-Identifier: Apache-2.0
import MusicalTime

/// The order in which independent patterns are combined into one sequence.
public enum PatternArrangement: String, Hashable, Sendable, CaseIterable {
  /// The patterns follow one another, as when a file of format 2 is played.
  case inOrder
  /// All patterns begin at tick 0, as tracks that play at the same time. The patterns must have
  /// equal tempo tracks.
  case together
}

extension MusicSequence {
  /// Converts the sequence to a file format.
  ///
  /// - To format 0, all tracks are joined. Events at one tick keep the order in which they are
  ///   sent. Port numbers (FF 21) keep each event on its port.
  /// - From format 0 to format 1, the track is split by channel. The first track has the events
  ///   without a channel; a writer also adds the tempo track's events to it. One track for each
  ///   channel follows, in order.
  /// - To format 2, every track becomes a pattern with a copy of the tempo track.
  ///
  /// - Parameter wanted: The format.
  /// - Returns: One sequence; for format 2, one for each track.
  /// - Throws: `SequenceError.outOfRange` if payloads do not fit.
  /// - Complexity: O(n log n).
  public func converted(to wanted: Format) throws(SequenceError) -> [MusicSequence] {
    guard wanted != format || wanted == .single && tracks.count != 1 else { return [self] }
    var copy = self
    copy.format = wanted
    copy.adoptTempoTrack()
    switch wanted {
    case .single: copy.tracks = [try MusicTrack(joining: tracks, ports: keptPorts)]
    case .simultaneous where format == .single: copy.tracks = try conductorAndChannels()
    case .simultaneous: break
    case .pattern: return patterns(of: copy)
    }
    return [copy]
  }

  private func conductorAndChannels() throws(SequenceError) -> [MusicTrack] {
    let whole = try MusicTrack(joining: tracks, ports: keptPorts)
    let parts = try whole.splitByChannel()
    guard let last = parts.last, parts.count > 1 || last.hasChannelEvents else { return parts }
    if !last.hasChannelEvents { return [last] + parts.dropLast() }
    // Tempo and meter are in a track without notes, as players of format 1 expect.
    var conductor = MusicTrack()
    conductor.explicitLength = whole.explicitLength
    return tempoTrack.isEmpty ? parts : [conductor] + parts
  }

  private func patterns(of copy: MusicSequence) -> [MusicSequence] {
    tracks.map { track in
      var pattern = copy
      pattern.tracks = [track]
      // The bytes that the file had for this track contain only the track's own tempo events.
      pattern.tracks[0].source = nil
      return pattern
    }
  }

  /// Creates a sequence for a file of format 1 from the patterns of a file of format 2.
  ///
  /// With `inOrder`, each pattern begins at the end of the one before it and keeps its tempo and
  /// meter. A pattern without a tempo or meter gets 120 beats per minute or 4/4.
  ///
  /// - Parameters:
  ///   - patterns: The sequences; all must have the same division.
  ///   - arrangement: One after another, or all together.
  /// - Throws: `SequenceError.notRepresentable` if the divisions differ or, with `together`, if the
  ///   tempo tracks differ; `SequenceError.outOfRange` if ticks do not fit.
  /// - Complexity: O(n log n).
  public init(
    patterns: [MusicSequence], arrangement: PatternArrangement = .inOrder
  ) throws(SequenceError) {
    self.init(division: patterns.first?.division ?? .standard)
    guard patterns.allSatisfy({ $0.division == division }) else {
      throw .notRepresentable("the patterns have different divisions, but a sequence has only one")
    }
    switch arrangement {
    case .inOrder: try append(patterns)
    case .together: try overlay(patterns)
    }
    for index in tracks.indices { tracks[index].source = nil }
    adoptTempoTrack()
  }

  private mutating func overlay(_ patterns: [MusicSequence]) throws(SequenceError) {
    guard let first = patterns.first else { return }
    for pattern in patterns
    where !pattern.tempoTrack.events.elementsEqual(first.tempoTrack.events) {
      throw .notRepresentable(
        "patterns with different tempi cannot start together (use the arrangement inOrder)")
    }
    tempoTrack = first.tempoTrack
    tracks = patterns.flatMap(\.tracks)
  }

  private mutating func append(_ patterns: [MusicSequence]) throws(SequenceError) {
    var start: Int64 = 0
    for (number, pattern) in patterns.enumerated() {
      let length = pattern.length
      if number > 0 {
        try setDefaults(before: pattern.tempoTrack, at: Tick(start))
      }
      try tempoTrack.merge(pattern.tempoTrack.excerpt(of: .allTicks), at: Tick(start))
      for track in pattern.tracks {
        var moved = MusicTrack()
        try moved.merge(track.excerpt(of: .allTicks), at: Tick(start))
        moved.settings = track.settings
        moved.explicitLength = Tick(start + track.length.value)
        try moved.checkLength()
        tracks.append(moved)
      }
      start += length.value
    }
  }

  /// Returns to the standard tempo and meter if the next pattern does not set its own.
  private mutating func setDefaults(
    before next: MusicTrack, at tick: Tick
  ) throws(SequenceError) {
    let initial = next.records.records(in: 0..<next.records.firstIndex(atOrAfter: 1))
    if !tempoTrack.isEmpty, !initial.contains(where: { $0.isMeta(0x51) }) {
      try insertTempo(.standard, at: tick)
    }
    if !tempoTrack.isEmpty, !initial.contains(where: { $0.isMeta(0x58) }) {
      try insertTimeSignature(.common, at: tick)
    }
  }
}

extension MusicTrack {
  /// True if any event is a note or a channel message.
  fileprivate var hasChannelEvents: Bool {
    records.chunks.contains { $0.contains(where: \.isChannelMessage) }
  }
}

extension SequenceFile {
  /// Converts the file to another format.
  ///
  /// Unknown chunks keep their positions among the tracks if possible.
  ///
  /// - Parameters:
  ///   - format: The new format.
  ///   - arrangement: The order of patterns when a file of format 2 is converted.
  /// - Throws: The errors of `MusicSequence.converted(to:)` and
  ///   `MusicSequence.init(patterns:arrangement:)`.
  /// - Complexity: O(n log n).
  public mutating func convert(
    to format: MusicSequence.Format, arrangement: PatternArrangement = .inOrder
  ) throws(SequenceError) {
    var parts = sequences
    let isPattern = parts.contains { $0.format == .pattern }
    if isPattern, format != .pattern {
      parts = [try MusicSequence(patterns: parts, arrangement: arrangement)]
    }
    var converted: [MusicSequence] = []
    for part in parts { converted += try part.converted(to: format) }
    sequences = converted
    declaredFormat = format.rawValue
    declaredTracks = UInt16(clamping: trackCount)
  }
}
