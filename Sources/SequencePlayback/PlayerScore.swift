// SPDX-License-Identifier: Apache-2.0
public import MusicSequences
public import MusicalTime

/// A sequence made ready to be played: its tempo map, and its state at any tick.
///
/// It is made on the control side, so that a player on its thread only has to look things up.
public final class PlayerScore: Sendable {
  /// The sequence, with the settings of its tracks: offset, loop, mute, solo.
  public let sequence: MusicSequence
  /// Its tempi.
  public let tempoMap: TempoMap
  /// Its state at any tick.
  public let chase: ChaseIndex
  /// The lines along which its parameters move from point to point.
  public let ramps: AutomationRamps

  /// Makes a sequence ready.
  ///
  /// - Parameters:
  ///   - sequence: the sequence.
  ///   - tempi: its tempi where they are finer than a file's, in the same ticks; nil for those of the
  ///     tempo track.
  ///   - previous: the score whose place it takes: what did not change is not looked at again.
  /// - Throws: `SequenceError.outOfRange` where the total time does not fit 64 bits.
  /// - Complexity: O(n).
  public init(
    _ sequence: MusicSequence, tempi: TempoMap? = nil, after previous: PlayerScore? = nil
  ) throws(SequenceError) {
    self.sequence = sequence
    tempoMap = if let tempi { tempi } else { try sequence.tempoMap }
    chase = previous.map { ChaseIndex(sequence, after: $0.chase) } ?? ChaseIndex(sequence)
    ramps = AutomationRamps(sequence)
  }
}
