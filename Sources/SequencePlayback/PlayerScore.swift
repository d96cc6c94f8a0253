// SPDX-License-Identifier: Apache-2.0
public import MusicSequences
public import MusicalTime

/// A sequence made ready to be played: its tempo map, and its state at any tick.
///
/// It is made on the control side, so that a player on its thread only has to look things up.
public final class PlayerScore: Sendable {
  /// The sequence, with the settings of its tracks: offset, loop, mute, solo; a SysEx in packets is
  /// whole at its last one, and leaves in parts where nothing else does between them.
  public let sequence: MusicSequence
  /// The tracks with SysEx messages that leave in parts, and their ports.
  let divided: [(track: UInt16, port: UInt8)]
  /// Its tempi.
  public let tempoMap: TempoMap
  /// Its state at any tick.
  public let chase: ChaseIndex
  /// The tick after which nothing sounds; nil if its tracks loop, and it ends with its events.
  public let end: Tick?
  /// The tick at which the longest track ends, with the silence after its last note.
  public let length: Tick
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
    let sequence = sequence.withWholeSysEx.withUndisturbedParts
    self.sequence = sequence
    tempoMap = if let tempi { tempi } else { try sequence.tempoMap }
    chase = previous.map { ChaseIndex(sequence, after: $0.chase) } ?? ChaseIndex(sequence)
    let ports = chase.ports
    divided = sequence.tracks.indices.filter { sequence.tracks[$0].hasSysExParts }.flatMap {
      track in
      ports.ports(of: track).map { (UInt16(clamping: track), UInt8(clamping: $0)) }
    }
    let lengths = sequence.lengths(ports)
    end = sequence.hasLoopingTracks ? nil : lengths.sounding
    length = lengths.whole
    ramps = AutomationRamps(sequence)
  }
}
