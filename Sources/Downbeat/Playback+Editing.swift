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
  /// A sounding note continues if the edited sequence still has it; otherwise it is released. Notes
  /// are not repeated. New programs need `SessionSettings.readsAllPresets`. Ports keep their
  /// numbers; a new port is played by the first synthesiser.
  ///
  /// - Throws: The error of the body; `SequenceError` if times do not fit 64 bits;
  ///   `PlaybackError.unknownDestination` if a track names a destination that does not exist;
  ///   `ClockError` for a play rate that does not fit the new tempi. The sequence is then not
  ///   changed.
  @discardableResult
  public func edit(_ body: (inout MusicSequence) throws -> Void) throws -> CommandReceipt {
    try control.withLock { control in
      var sequence = control.score.sequence
      try body(&sequence)
      sequence.keepPorts(control.score.chase.ports)
      return try play(PlayerScore(sequence, after: control.score), &control)
    }
  }

  /// Replaces the score that is played, as `edit` does.
  ///
  /// - Throws: As `edit`.
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

  /// The sequence that is played, with all edits.
  public var sequence: MusicSequence { control.withLock { $0.score.sequence } }

  /// Passes a score to the player and the old score back, which is freed with the command.
  private final class Parcel: @unchecked Sendable {
    /// Written only by the event thread, once the command has been sent.
    var score: PlayerScore

    init(_ score: PlayerScore) {
      self.score = score
    }
  }
}

extension Playback {
  /// Mutes or unmutes a track.
  ///
  /// - Throws: `SequenceError` if the sequence's times do not fit 64 bits.
  @discardableResult
  public func setMuted(_ isMuted: Bool, track: Int) throws -> CommandReceipt {
    try edit { $0.tracks[track].settings.isMuted = isMuted }
  }

  /// Turns solo on or off for a track; while tracks are soloed, only these are played.
  ///
  /// - Throws: `SequenceError` if the sequence's times do not fit 64 bits.
  @discardableResult
  public func setSoloed(_ isSoloed: Bool, track: Int) throws -> CommandReceipt {
    try edit { $0.tracks[track].settings.isSoloed = isSoloed }
  }

  /// Sets the transform of messages to the destination with a name.
  ///
  /// The name of the synthesiser is `synth`, for all ports of the song. Held notes are released
  /// with the transform with which they were struck.
  ///
  /// - Throws: `PlaybackError.unknownDestination` if no destination has this name.
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

  /// Transposes the notes to every destination, except drums.
  ///
  /// Held notes are released with the transposition with which they were struck.
  ///
  /// - Parameter semitones: The shift, −127…127.
  /// - Returns: The receipt of the command.
  /// - Throws: `PlaybackError` if a track names an unknown destination, which was already checked
  ///   for the current sequence.
  @discardableResult
  public func setTransposition(_ semitones: Int) throws -> CommandReceipt {
    try control.withLock { control in
      for index in control.transforms.indices {
        control.transforms[index].transposition = semitones
      }
      return send(try routes(of: control.score.sequence, control))
    }
  }

  /// Plays notes on some channels only; sounding notes of other channels are ended.
  ///
  /// Programs and controllers of the other channels still take effect, so they are right when the
  /// channels are played again.
  ///
  /// - Parameter channels: Bit n for channel index n.
  /// - Returns: The receipt of the command.
  /// - Throws: `PlaybackError` if a track names an unknown destination, which was already checked
  ///   for the current sequence.
  @discardableResult
  public func setHeardChannels(_ channels: UInt16) throws -> CommandReceipt {
    try setHeardChannels(PortChannels(channels))
  }

  /// Plays notes on some channels of each port only; sounding notes of other channels are ended.
  ///
  /// Programs and controllers of the other channels still take effect, so they are right when the
  /// channels are played again.
  ///
  /// - Parameter channels: The channels of each port.
  /// - Returns: The receipt of the command.
  /// - Throws: `PlaybackError` if a track names an unknown destination, which was already checked
  ///   for the current sequence.
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

  /// Sends the current state of the song to the destination with a name, after it was disconnected.
  ///
  /// - Throws: `PlaybackError.unknownDestination` if no destination has this name.
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
