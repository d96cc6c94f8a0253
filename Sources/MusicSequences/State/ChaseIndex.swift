// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Finds the state of all channels at any tick of a sequence, with the offsets and loops of tracks.
///
/// For long sequences, the state is stored about every 65,536 events, so that a lookup reads only
/// the events after the last stored state. A sequence whose tracks have offsets or loops is read
/// from the beginning.
///
/// - Complexity: O(n) to create, about 10 ns for each event. Do not create an index on a thread
///   with deadlines.
public struct ChaseIndex: Sendable {
  /// The sequence that was indexed.
  public let sequence: MusicSequence
  private let checkpoints: [ChaseState]
  /// The ports of the sequence.
  public var ports: TrackPorts { checkpoints[0].ports }

  /// The number of chunks (of 1,024 events) between two checkpoints.
  private static let spacing = 64

  /// Creates an index of a sequence.
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

  /// Creates the index of an edited sequence; the previous index is reused if the events have not
  /// changed.
  public init(_ sequence: MusicSequence, after other: ChaseIndex) {
    self =
      sequence.playsSameEvents(as: other.sequence)
      ? ChaseIndex(sequence, checkpoints: other.checkpoints) : ChaseIndex(sequence)
  }

  private init(_ sequence: MusicSequence, checkpoints: [ChaseState]) {
    self.sequence = sequence
    self.checkpoints = checkpoints
  }

  /// A cursor at the start of the sequence, created with `SequenceCursor.init(playing:)`.
  public var cursor: SequenceCursor {
    SequenceCursor(playing: sequence, ports: ports)
  }

  /// Returns the state of all channels before the events of a tick.
  ///
  /// - Complexity: O(t log n) for t tracks, plus the events since the last stored state.
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
  /// True if two sequences share their events and the tracks' offsets, destinations and loops.
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
  /// True if two lists share their memory, so that their records need not be compared.
  func isIdentical(to other: RecordList) -> Bool {
    guard count == other.count else { return false }
    return unsafe chunks.withUnsafeBufferPointer { mine in
      unsafe other.chunks.withUnsafeBufferPointer { theirs in
        unsafe mine.baseAddress == theirs.baseAddress
      }
    }
  }
}
