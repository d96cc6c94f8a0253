// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// The object of a player's handle.
final class PlayerBox: Sendable {
  private let state = Mutex(State())

  private struct State: Sendable {
    var sequence: SequenceBox?
    /// The position while the player is stopped.
    var beat: MusicTimeStamp = 0
    var rate: Double = 1
    /// The current playback, from a start to a stop.
    var run: (any SequenceRun)?
    /// A prepared playback, until the sequence is edited.
    var ready: (any SequenceRun)?

    mutating func takeReady() -> (any SequenceRun)? {
      defer { ready = nil }
      return ready
    }
  }

  var sequence: SequenceBox? { state.withLock { $0.sequence } }

  var isPlaying: Bool { state.withLock { $0.run != nil } }

  /// Sets the sequence, in place of an earlier one.
  ///
  /// - Throws: `InvalidPlayerState` while it is playing; `CannotDoInCurrentContext` if the sequence
  ///   belongs to another player.
  func setSequence(_ sequence: SequenceBox?) throws(StatusError) {
    let (old, ready) = try state.withLock { (state) throws(StatusError) in
      if state.run != nil { throw StatusError(kAudioToolboxErr_InvalidPlayerState) }
      try sequence?.attach(self)
      defer { state.sequence = sequence }
      return (state.sequence, state.takeReady())
    }
    ready?.end()
    if let old, old !== sequence { old.detach() }
  }

  /// Prepares playback.
  ///
  /// - Throws: `NoSequence`; the errors of `start`.
  func preroll() throws(StatusError) {
    try state.withLock { (state) throws(StatusError) in
      let sequence = try Self.sequence(of: state)
      guard state.run == nil, state.ready == nil else { return }
      state.ready = try sequence.makeRun(rate: state.rate)
    }
  }

  /// Starts at the current position; a playing player does not change.
  ///
  /// - Throws: `NoSequence`; `ParamError` if a time is out of range; `MemFullError` if a thread
  ///   cannot be started.
  func start() throws(StatusError) {
    try state.withLock { (state) throws(StatusError) in
      let sequence = try Self.sequence(of: state)
      guard state.run == nil else { return }
      let run =
        if let ready = state.takeReady() { ready } else {
          try sequence.makeRun(rate: state.rate)
        }
      run.start(at: state.beat)
      state.run = run
    }
  }

  /// Stops at the current position.
  ///
  /// - Throws: `NoSequence`.
  func stop() throws(StatusError) {
    let run = try state.withLock { (state) throws(StatusError) in
      _ = try Self.sequence(of: state)
      return Self.halt(&state)
    }
    // Not under the lock, because a callback may request the time meanwhile.
    run?.end()
  }

  private static func halt(_ state: inout State) -> (any SequenceRun)? {
    guard let run = state.run else { return nil }
    if let anchor = run.anchor { state.beat = anchor.beat(at: run.now) }
    state.run = nil
    return run
  }

  private static func sequence(of state: borrowing State) throws(StatusError) -> SequenceBox {
    guard let sequence = state.sequence else { throw StatusError(kAudioToolboxErr_NoSequence) }
    return sequence
  }

  /// Moves to a beat; does nothing without a sequence.
  func setBeat(_ beat: MusicTimeStamp) {
    let (run, ready, sequence) = state.withLock { state in
      if state.sequence != nil { state.beat = beat }
      return (state.run, state.takeReady(), state.sequence)
    }
    ready?.end()
    run?.move(to: beat)
    sequence?.chaseUserEvents(to: beat)
  }

  /// The current beat.
  var beat: MusicTimeStamp {
    state.withLock { state in state.run.flatMap { $0.anchor?.beat(at: $0.now) } ?? state.beat }
  }

  /// The anchor from which beats and host times are computed.
  ///
  /// - Throws: `InvalidPlayerState` if the player is not playing.
  func anchor() throws(StatusError) -> PlayerAnchor {
    guard let anchor = state.withLock({ $0.run?.anchor }) else {
      throw StatusError(kAudioToolboxErr_InvalidPlayerState)
    }
    return anchor
  }

  var rate: Double {
    get { state.withLock { $0.rate } }
    set {
      let (run, ready) = state.withLock { state in
        state.rate = newValue
        return (state.run, state.takeReady())
      }
      ready?.end()
      run?.setRate(newValue)
    }
  }

  /// Applies an edit of the sequence to playback.
  func noteEdit() {
    let (run, ready) = state.withLock { state in (state.run, state.takeReady()) }
    ready?.end()
    run?.noteEdit()
  }

  /// Stops and releases the sequence.
  func dispose() {
    let (run, ready, sequence) = state.withLock { state in
      defer { state.sequence = nil }
      return (Self.halt(&state), state.takeReady(), state.sequence)
    }
    run?.end()
    ready?.end()
    sequence?.detach()
  }
}
