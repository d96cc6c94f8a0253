// SPDX-License-Identifier: Apache-2.0
public import MusicSequences
public import MusicalTime

/// A sequence prepared for playback, with its tempo map and its state at any tick.
///
/// A score is created before playback, on the control side, so that a player on the event thread
/// need not calculate this data.
public final class PlayerScore: Sendable {
  /// The sequence to play.
  ///
  /// The settings of its tracks (offset, loop, mute and solo) apply.
  ///
  /// A SysEx message that is stored in packets is complete at its last packet. It is sent in parts
  /// if the song does not send other events between them.
  public let sequence: MusicSequence
  /// The tracks with SysEx messages that are sent in parts, and their ports.
  let divided: [(track: UInt16, port: UInt8)]
  /// The tempo map of the sequence.
  public let tempoMap: TempoMap
  /// Finds the state of all channels at any tick.
  public let chase: ChaseIndex
  /// The tick after which nothing sounds; nil if tracks loop.
  ///
  /// The sequence then ends after its last event.
  public let end: Tick?
  /// The tick at which the longest track ends, including silence after its last note.
  public let length: Tick
  /// The ramps of unit parameters in the sequence.
  public let ramps: AutomationRamps

  /// Prepares a sequence for playback.
  ///
  /// - Parameters:
  ///   - sequence: The sequence to play.
  ///   - tempi: A tempo map in the same ticks, if its tempi are more exact than a file can store;
  ///     nil (the default) to use the tempo track.
  ///   - previous: The score that the new one replaces, if any. Its data is reused if it has not
  ///     changed.
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
