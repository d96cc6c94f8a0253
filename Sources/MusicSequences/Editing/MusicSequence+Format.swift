// SPDX-License-Identifier: Apache-2.0
import MusicalTime

/// How patterns, which are independent of each other, come into one sequence.
public enum PatternArrangement: String, Hashable, Sendable, CaseIterable {
  /// One after the other, as a file of format 2 is played.
  case inOrder
  /// All from the origin, as tracks that sound together; their tempo tracks must be equal.
  case together
}

extension MusicSequence {
  /// The sequence as a file of another format would hold it.
  ///
  /// - To format 0 all tracks are joined, at one tick in the order in which they are sent; port numbers
  ///   (FF 21) keep every event on its port.
  /// - From 0 to 1 the one track is split by channel: first a track of what belongs to no channel,
  ///   in which the writer also puts the tempo track's events, then a track for each channel in
  ///   order.
  /// - To format 2 every track becomes a pattern with a copy of the tempo track.
  ///
  /// - Parameter wanted: The format.
  /// - Returns: One sequence; for format 2 one for each track.
  /// - Throws: `SequenceError.outOfRange` where payloads do not fit.
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
    // Tempo and meter stand in a track without notes, as players of format 1 expect.
    var conductor = MusicTrack()
    conductor.explicitLength = whole.explicitLength
    return tempoTrack.isEmpty ? parts : [conductor] + parts
  }

  private func patterns(of copy: MusicSequence) -> [MusicSequence] {
    tracks.map { track in
      var pattern = copy
      pattern.tracks = [track]
      // What the file had for this track holds only its own tempo events.
      pattern.tracks[0].source = nil
      return pattern
    }
  }

  /// Creates a sequence of tracks that sound together from patterns.
  ///
  /// With `inOrder`, each pattern begins where the one before it ends, with the tempo and the meter
  /// that it has by itself: where it sets none, 120 beats per minute and 4/4 are set.
  ///
  /// - Parameters:
  ///   - patterns: The sequences, of one division.
  ///   - arrangement: How they come together.
  /// - Throws: `SequenceError.notRepresentable` for patterns of different divisions, and with
  ///   `together` for different tempo tracks; `SequenceError.outOfRange` where ticks do not fit.
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

  /// Takes back the tempo and the meter of the pattern before, where the next sets none.
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
  /// Whether any event is a note or a channel message.
  fileprivate var hasChannelEvents: Bool {
    records.chunks.contains { $0.contains(where: \.isChannelMessage) }
  }
}

extension SequenceFile {
  /// Gives the file another format; its unknown chunks keep their places as far as they go.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - arrangement: How the patterns of a file of format 2 come together.
  /// - Throws: As `MusicSequence.converted(to:)` and `MusicSequence.init(patterns:arrangement:)`.
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
