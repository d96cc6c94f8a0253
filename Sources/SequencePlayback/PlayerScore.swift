// SPDX-License-Identifier: Apache-2.0
public import MusicSequences
public import MusicalTime

/// A sequence prepared for playback, with its tempo map and its state at any tick.
///
/// It is created on the control side, so that a player on the event thread only looks things up.
public final class PlayerScore: Sendable {
  /// The sequence, with the settings of its tracks: offset, loop, mute, solo.
  ///
  /// A SysEx in packets is complete at its last packet, and is sent in parts if the song does not
  /// send other events between them.
  public let sequence: MusicSequence
  /// The tracks with SysEx messages that are sent in parts, and their ports.
  let divided: [(track: UInt16, port: UInt8)]
  /// The tempo map.
  public let tempoMap: TempoMap
  /// The state at any tick.
  public let chase: ChaseIndex
  /// The tick after which nothing sounds.
  ///
  /// Nil if tracks loop: the sequence then ends after its last event.
  public let end: Tick?
  /// The tick at which the longest track ends, including silence after its last note.
  public let length: Tick
  /// The ramps of its parameters.
  public let ramps: AutomationRamps

  /// Prepares a sequence for playback.
  ///
  /// - Parameters:
  ///   - sequence: The sequence.
  ///   - tempi: A tempo map in the same ticks, if its tempi are finer than a file stores; nil, the
  ///     default, for that of the tempo track.
  ///   - previous: The score that it replaces, whose unchanged data is reused.
  /// - Throws: `SequenceError.outOfRange` if the total time does not fit into 64 bits.
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
