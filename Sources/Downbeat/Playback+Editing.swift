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
  /// A sounding note continues if the edited sequence still contains the note; otherwise it is
  /// released. Notes that were already played are not repeated. If the edit selects new programs,
  /// `SessionSettings.readsAllPresets` must have been true. Ports keep their numbers; a new port is
  /// played by the first synthesiser.
  ///
  /// - Throws: The error of the closure; `SequenceError` if times do not fit 64 bits;
  ///   `PlaybackError.unknownDestination` if a track names a destination that does not exist;
  ///   `ClockError` if the play rate is not valid with the new tempi. The sequence is then not
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

  /// Replaces the score that is played, in the same way as `edit`.
  ///
  /// - Throws: The same errors as `edit`.
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

  /// Turns solo on or off for a track.
  ///
  /// While any tracks are soloed, only these are played.
  ///
  /// - Throws: `SequenceError` if the sequence's times do not fit 64 bits.
  @discardableResult
  public func setSoloed(_ isSoloed: Bool, track: Int) throws -> CommandReceipt {
    try edit { $0.tracks[track].settings.isSoloed = isSoloed }
  }

  /// Sets the transform that is applied to all messages to a destination.
  ///
  /// The destination is selected by its name; `synth` is the synthesiser, for all ports of the
  /// song. A held note is released with the transform with which it was started.
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

  /// Transposes all notes except drums, for every destination.
  ///
  /// A held note is released with the transposition with which it was started.
  ///
  /// - Parameter semitones: The shift in semitones, −127…127.
  /// - Returns: The receipt of the command.
  /// - Throws: `PlaybackError` if a track names an unknown destination; this was already checked
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

  /// Selects the channels whose notes are played, and ends sounding notes of the others.
  ///
  /// Programs and controllers of the other channels still take effect, so their state is right when
  /// they are played again.
  ///
  /// - Parameter channels: The channels to play, as a bit mask: bit n is channel index n.
  /// - Returns: The receipt of the command.
  /// - Throws: `PlaybackError` if a track names an unknown destination; this was already checked
  ///   for the current sequence.
  @discardableResult
  public func setHeardChannels(_ channels: UInt16) throws -> CommandReceipt {
    try setHeardChannels(PortChannels(channels))
  }

  /// Selects the channels of each port whose notes are played, and ends sounding notes of the
  /// others.
  ///
  /// Programs and controllers of the other channels still take effect, so their state is right when
  /// they are played again.
  ///
  /// - Parameter channels: The channels of each port to play.
  /// - Returns: The receipt of the command.
  /// - Throws: `PlaybackError` if a track names an unknown destination; this was already checked
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

  /// Sends the current state of the song (programs, controllers and so on) to a destination, for
  /// example after it was disconnected.
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
