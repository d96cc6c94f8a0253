// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Finds the state of a sequence at any tick, as it is played, with its tracks' offsets and loops.
///
/// Long sequences get checkpoints, some 65,536 events apart, so that a look-up reads no more than
/// what lies between two of them. A sequence whose tracks have offsets or loops has none and is
/// read from the beginning.
///
/// - Complexity: O(n) to create, some 10 ns an event: not on a thread with deadlines.
public struct ChaseIndex: Sendable {
  /// The sequence.
  public let sequence: MusicSequence
  private let checkpoints: [ChaseState]
  /// The ports of the sequence.
  public var ports: TrackPorts { checkpoints[0].ports }

  /// Chunks of 1,024 events between two checkpoints.
  private static let spacing = 64

  /// Creates an index.
  public init(_ sequence: MusicSequence) {
    self.sequence = sequence
    var state = ChaseState(at: 0, TrackPorts(sequence))
    var checkpoints = [state]
    for tick in Self.checkpointTicks(of: sequence) {
      state.advance(to: tick, in: sequence)
      checkpoints.append(state)
    }
    self.checkpoints = checkpoints
  }

  /// Creates the index of an edited sequence, from that of the one before where no event changed.
  public init(_ sequence: MusicSequence, after other: ChaseIndex) {
    self =
      sequence.playsSameEvents(as: other.sequence)
      ? ChaseIndex(sequence, checkpoints: other.checkpoints) : ChaseIndex(sequence)
  }

  private init(_ sequence: MusicSequence, checkpoints: [ChaseState]) {
    self.sequence = sequence
    self.checkpoints = checkpoints
  }

  /// A cursor at the start of the sequence, which reads as a player does.
  public var cursor: SequenceCursor {
    SequenceCursor(playing: sequence, ports: ports)
  }

  /// The state before the events of a tick.
  ///
  /// - Complexity: O(t log n) for t tracks, and the events since the checkpoint before.
  public func state(at tick: Tick) -> ChaseState {
    let bound = UInt64(max(0, tick.value))
    var low = 0
    var high = checkpoints.count
    while low + 1 < high {
      let middle = (low + high) >> 1
      if checkpoints[middle].tick <= bound { low = middle } else { high = middle }
    }
    var state = checkpoints[low]
    state.advance(to: bound, in: sequence)
    return state
  }

  private static func checkpointTicks(of sequence: MusicSequence) -> [UInt64] {
    guard sequence.tracks.allSatisfy(\.isPlayedAsStored) else { return [] }
    var ticks: [UInt64] = []
    for track in sequence.tracks {
      for chunk in track.records.chunks { ticks.append(chunk[0].tick) }
    }
    ticks.sort()
    var chosen: [UInt64] = []
    for index in stride(from: spacing, to: ticks.count, by: spacing)
    where ticks[index] > chosen.last ?? 0 {
      chosen.append(ticks[index])
    }
    return chosen
  }
}

extension MusicTrack {
  fileprivate var isPlayedAsStored: Bool { settings.offset == 0 && settings.loop == nil }
}

extension MusicSequence {
  /// Whether two sequences share their events and the tracks' offsets and loops.
  fileprivate func playsSameEvents(as other: MusicSequence) -> Bool {
    tracks.count == other.tracks.count
      && zip(tracks, other.tracks).allSatisfy { mine, theirs in
        mine.settings.offset == theirs.settings.offset
          && mine.settings.destination == theirs.settings.destination
          && mine.settings.loop == theirs.settings.loop
          && mine.records.isIdentical(to: theirs.records)
      }
  }
}

extension RecordList {
  /// Whether two lists are one in memory, so that no look at the records is needed.
  func isIdentical(to other: RecordList) -> Bool {
    guard count == other.count else { return false }
    return unsafe chunks.withUnsafeBufferPointer { mine in
      unsafe other.chunks.withUnsafeBufferPointer { theirs in
        unsafe mine.baseAddress == theirs.baseAddress
      }
    }
  }
}
