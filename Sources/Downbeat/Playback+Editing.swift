// SPDX-License-Identifier: Apache-2.0
public import ClockService
public import MusicSequences
internal import MusicalTime
public import SequencePlayback
internal import Synchronization

extension Playback {
  /// Changes the sequence while it plays.
  ///
  /// Notes that sound go on where the edited sequence still has them, and are released where it
  /// has not; nothing is repeated. Programs that are new need `SessionSettings.readsAllPresets`.
  ///
  /// - Throws: what the body throws; `SequenceError` where times do not fit 64 bits;
  ///   `PlaybackError.unknownDestination` where a track is to go to one that is not there;
  ///   `ClockError` for a play rate that does not fit the new tempi. Then nothing is changed.
  @discardableResult
  public func edit(_ body: (inout MusicSequence) throws -> Void) throws -> CommandReceipt {
    try control.withLock { control in
      var sequence = control.score.sequence
      try body(&sequence)
      return try play(PlayerScore(sequence, after: control.score), &control)
    }
  }

  /// Puts another score in the place of the one that plays, as an edit does.
  ///
  /// - Throws: as `edit`.
  @discardableResult
  public func play(_ score: PlayerScore) throws -> CommandReceipt {
    try control.withLock { control in try play(score, &control) }
  }

  private func play(
    _ score: PlayerScore, _ control: inout Control
  ) throws -> CommandReceipt {
    let routes = try routes(of: score.sequence, control)
    notifier.add(score, generation: control.generation + 1)
    let parcel = Parcel(score)
    nonisolated(unsafe) let player = unsafe player
    try transport.setTempoMap(score.tempoMap) { position, buffer in
      unsafe player.swap(&parcel.score, at: position, into: &buffer)
    }
    control.score = score
    control.generation += 1
    return send(routes)
  }

  /// The sequence as it is played.
  public var sequence: MusicSequence { control.withLock { $0.score.sequence } }

  /// Carries a score to the player and the old one back, which is freed with the command.
  private final class Parcel: @unchecked Sendable {
    /// Written by the event thread alone, once it has been sent.
    var score: PlayerScore

    init(_ score: PlayerScore) {
      self.score = score
    }
  }
}
