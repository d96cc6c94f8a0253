// SPDX-License-Identifier: Apache-2.0
public import ClockService
public import MIDIMessages
public import MusicSequences
internal import MusicalTime
public import SequencePlayback
internal import Synchronization

extension Playback {
  /// Changes the sequence while it plays.
  ///
  /// Notes that sound go on where the edited sequence still has them, and are released where it
  /// has not; nothing is repeated. Programs that are new need `SessionSettings.readsAllPresets`. Ports keep
  /// their numbers; a port that is new sounds on the first synthesiser.
  ///
  /// - Throws: what the body throws; `SequenceError` where times do not fit 64 bits;
  ///   `PlaybackError.unknownDestination` where a track is to go to one that is not there;
  ///   `ClockError` for a play rate that does not fit the new tempi. Then nothing is changed.
  @discardableResult
  public func edit(_ body: (inout MusicSequence) throws -> Void) throws -> CommandReceipt {
    try control.withLock { control in
      var sequence = control.score.sequence
      try body(&sequence)
      sequence.keepPorts(control.score.chase.ports)
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

extension Playback {
  /// Mutes a track, or lets it be heard again.
  ///
  /// - Throws: `SequenceError` where the sequence's times do not fit 64 bits.
  @discardableResult
  public func setMuted(_ isMuted: Bool, track: Int) throws -> CommandReceipt {
    try edit { $0.tracks[track].settings.isMuted = isMuted }
  }

  /// Lets only this track and others like it be heard, or no longer.
  ///
  /// - Throws: `SequenceError` where the sequence's times do not fit 64 bits.
  @discardableResult
  public func setSoloed(_ isSoloed: Bool, track: Int) throws -> CommandReceipt {
    try edit { $0.tracks[track].settings.isSoloed = isSoloed }
  }

  /// Changes what becomes of messages on their way to a destination, by its name.
  ///
  /// The synthesiser's is `synth`, for all ports of the song. What is held is released where it was
  /// struck.
  ///
  /// - Throws: `PlaybackError.unknownDestination` where there is none of the name.
  @discardableResult
  public func setTransform(_ transform: MessageTransform, of destination: String) throws
    -> CommandReceipt
  {
    let places = try routing.places(of: destination)
    return try control.withLock { control in
      for index in places { control.transforms[index] = transform }
      return send(try routes(of: control.score.sequence, control))
    }
  }

  /// Moves all keys on their way to every destination, those of drums spared.
  ///
  /// What is held is released where it was struck.
  ///
  /// - Parameter semitones: how far, −127…127.
  /// - Returns: what can be awaited.
  /// - Throws: nothing for a sequence that plays.
  @discardableResult
  public func setTransposition(_ semitones: Int) throws -> CommandReceipt {
    try control.withLock { control in
      for index in control.transforms.indices {
        control.transforms[index].transposition = semitones
      }
      return send(try routes(of: control.score.sequence, control))
    }
  }

  /// Lets notes be heard on some channels alone; of the others what sounds ends.
  ///
  /// Programs and controllers of the others go on, so that they are right when they are heard again.
  ///
  /// - Parameter channels: bit n for channel index n.
  /// - Returns: what can be awaited.
  /// - Throws: nothing for a sequence that plays.
  @discardableResult
  public func setHeardChannels(_ channels: UInt16) throws -> CommandReceipt {
    try setHeardChannels(PortChannels(channels))
  }

  /// Lets notes be heard on some channels of each port alone; of the others what sounds ends.
  ///
  /// Programs and controllers of the others go on, so that they are right when they are heard again.
  ///
  /// - Parameter channels: the channels of each port.
  /// - Returns: what can be awaited.
  /// - Throws: nothing for a sequence that plays.
  @discardableResult
  public func setHeardChannels(_ channels: PortChannels) throws -> CommandReceipt {
    try control.withLock { control in
      let known = control.filters.first?.struckChannels ?? .all
      let portCount = control.score.chase.ports.count
      for index in control.filters.indices { control.filters[index].struckChannels = channels }
      let routes = try routes(of: control.score.sequence, control)
      send(routes)
      return transport.perform {
        try $0.endNotes(on: known.subtracting(channels), ofPorts: portCount, by: routes)
      }
    }
  }

  /// Brings a destination that was away, by its name, into the state the music has now.
  ///
  /// - Throws: `PlaybackError.unknownDestination` where there is none of the name.
  @discardableResult
  public func restoreState(of destination: String) throws -> CommandReceipt {
    let places = try routing.places(of: destination)
    nonisolated(unsafe) let player = unsafe player
    return transport.perform { scheduler in
      var state = EventBuffer()
      try scheduler.interrupt { position, _, _ in
        unsafe player.appendState(at: position, into: &state)
        for index in places { try scheduler.router.send(state, to: index) }
      }
    }
  }

  func routes(
    of sequence: MusicSequence, _ control: borrowing Control
  ) throws(PlaybackError) -> [Route] {
    try routing.routes(of: sequence, control.filters, control.transforms) + clockRoutes
  }

  @discardableResult
  func send(_ routes: [Route]) -> CommandReceipt {
    transport.perform { scheduler in
      if scheduler.router.routes != routes { try scheduler.setRoutes(routes) }
    }
  }
}
