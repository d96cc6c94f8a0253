// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
package import ClipPlayback
package import MusicalTime
internal import Synchronization
internal import TimeStretching

/// The state of a player, and its place on the shared output.
///
/// - Note: Any thread.
package final class PlayerCore: Sendable {
  /// The player beneath.
  package let player: AudioPlayer
  private let state = Mutex(State())
  /// Held, outside of the state's lock, while the player joins or leaves the output.
  private let moves = Mutex(())
  private let output = PlayerOutput.shared
  /// Called when the sound has ended, with false if the file ended too early.
  private let onEnd: @Sendable (Bool) -> Void

  private struct State {
    var seat: PlayerOutput.Seat?
    /// The unit that keeps the pitch, if the rate can be changed.
    var stretcher: Stretcher?
    var isPlaying = false
    /// Counts starts and stops, so that an end that was overtaken is not reported.
    var run = 0
    var hasEnded = false
    var canChangeRate = false
    var rate: Float = 1
    var loops = 0
    var volume: Float = 1
    var pan: Float = 0
    /// True if `loops` was changed while the player was not on the output.
    var loopsHaveChanged = false
    /// A position that was set and has not taken effect yet; without a receipt it was not sent.
    var wanted: (seconds: Double, receipt: AudioReceipt?)?
    var shortCount = 0
  }

  // Unchecked: its settings and its position may be used on any thread.
  private struct Stretcher: @unchecked Sendable {
    let unit: TimePitchUnit?
  }

  /// Creates a player.
  ///
  /// - Parameter onEnd: Called on a thread of the player when the sound has ended.
  package init(onEnd: @escaping @Sendable (Bool) -> Void) {
    player = AudioPlayer(rate: output.rate)
    self.onEnd = onEnd
  }

  deinit {
    player.stopFollowing()
    if let seat = state.withLock(\.seat) { output.leave(seat) }
  }

  /// True from a start until the end or a pause.
  package var isPlaying: Bool { state.withLock(\.isPlaying) }

  /// Joins the output, so that a start takes effect at once.
  ///
  /// - Returns: False if the output cannot be used.
  package func prepare() -> Bool {
    moves.withLock { _ in
      state.withLock { state in
        rewindAfterEnd(&state)
        player.fill()
        return join(&state) != nil
      }
    }
  }

  /// Starts; returns false if the output cannot be used.
  ///
  /// - Parameter time: The time, as `PlayerOutput.time` counts; nil for now.
  /// - Returns: True if it plays.
  package func play(at time: Double?) -> Bool {
    moves.withLock { _ in state.withLock { start(at: time, &$0) } }
  }

  private func start(at time: Double?, _ state: inout State) -> Bool {
    if state.isPlaying { return true }
    rewindAfterEnd(&state)
    guard let first = join(&state) else { return false }
    let wanted = time.flatMap { output.frame(at: $0) }
    let frame = wanted.map { max($0, first) } ?? (first > .zero ? first : nil)
    settle(&state)
    state.run += 1
    let run = state.run
    player.start(at: frame.map { inner($0, state) }) { [weak self] _ in self?.end(of: run) }
    state.isPlaying = true
    return true
  }

  /// Stops; a start continues at this position.
  package func pause() {
    state.withLock { state in
      state.run += 1
      if state.isPlaying {
        settle(&state)
        player.stop()
      }
      state.isPlaying = false
    }
  }

  /// Stops and leaves the output; the position stays.
  package func stop() {
    // Stops and leaves in one move: a start on another thread is before both or after both.
    moves.withLock { _ in
      pause()
      guard let seat = state.withLock({ $0.seat.take() }) else { return }
      player.stopFollowing()
      output.leave(seat)
    }
  }

  private func end(of run: Int) {
    let isWhole = state.withLock { state -> Bool? in
      guard state.run == run else { return nil }
      state.isPlaying = false
      state.hasEnded = true
      defer { state.shortCount = player.shortCount }
      return player.shortCount == state.shortCount
    }
    guard let isWhole else { return }
    onEnd(isWhole)
  }

  private func rewindAfterEnd(_ state: inout State) {
    guard state.hasEnded else { return }
    state.hasEnded = false
    locate(0, &state)
  }

  /// Joins the output; returns the first frame that is played in full, or nil.
  private func join(_ state: inout State) -> SampleTime? {
    if state.seat != nil { return .zero }
    do {
      let link = try output.join(unit(&state))
      state.seat = link.seat
      if let stretcher = state.stretcher?.unit {
        try player.follow(InnerOutput(stretcher, on: link.output))
      } else {
        try player.follow(link.output)
      }
      applySettings(&state)
      return link.firstFrame
    } catch {
      if let seat = state.seat.take() { output.leave(seat) }
      return nil
    }
  }

  /// The unit that is rendered: the player, or the unit that changes its rate.
  private func unit(_ state: inout State) -> any ProcessingUnit {
    if state.canChangeRate, state.stretcher == nil {
      do {
        state.stretcher = Stretcher(
          unit: try TimePitchUnit(playing: player, rate: output.rate))
      } catch {
        // Without the library the pitch changes with the rate.
        state.stretcher = Stretcher(unit: nil)
      }
    }
    return state.stretcher?.unit ?? player
  }

  /// A frame of the output in the player's count.
  private func inner(_ frame: SampleTime, _ state: State) -> SampleTime {
    guard let unit = state.stretcher?.unit else { return frame }
    let distance = output.distance(to: frame)
    return SampleTime(
      frames: unit.innerPosition.frames + Int64(Double(distance) * Double(state.rate)))
  }
}

// Settings: the player accepts 64 orders until the output has rendered, so that only the last values
// are sent when the player joins the output.
extension PlayerCore {
  /// Sends the settings that were changed before the player joined the output.
  private func applySettings(_ state: inout State) {
    if player.gain != state.volume { player.gain = state.volume }
    if player.pan != state.pan { player.pan = state.pan }
    applyRate(&state)
    if state.loopsHaveChanged { applyLoops(&state) }
    if let wanted = state.wanted, wanted.receipt == nil { locate(wanted.seconds, &state) }
  }

  /// The volume, 0…16.
  package var volume: Float {
    get { state.withLock(\.volume) }
    set { setVolume(newValue, over: 0) }
  }

  /// Changes the volume evenly over a time in seconds; while the player is not on the output, at
  /// once.
  func setVolume(_ volume: Float, over seconds: Double) {
    state.withLock { state in
      state.volume = volume.isNaN ? 0 : min(16, max(0, volume))
      if state.seat != nil { player.setGain(state.volume, over: seconds) }
    }
  }

  /// The position between left (−1) and right (1).
  var pan: Float {
    get { state.withLock(\.pan) }
    set {
      state.withLock { state in
        state.pan = newValue.isNaN ? 0 : min(1, max(-1, newValue))
        if state.seat != nil { player.pan = state.pan }
      }
    }
  }

  /// The number of further passes after the first; negative for endless.
  var loops: Int {
    get { state.withLock(\.loops) }
    set {
      state.withLock { state in
        guard state.loops != newValue else { return }
        state.loops = newValue
        state.loopsHaveChanged = true
        if state.seat != nil { applyLoops(&state) }
      }
    }
  }

  private func applyLoops(_ state: inout State) {
    state.loopsHaveChanged = false
    player.setRepeats(state.loops < 0 ? nil : state.loops)
    // The player has sought to its present position.
    if let wanted = state.wanted, wanted.receipt?.isInEffect == false {
      locate(wanted.seconds, &state)
    }
  }

  /// The rate, 0.5…2.
  package var rate: Float {
    get { state.withLock(\.rate) }
    set {
      state.withLock { state in
        state.rate = newValue.isNaN ? 1 : min(2, max(0.5, newValue))
        if state.seat != nil { applyRate(&state) }
      }
    }
  }

  /// True if the rate can be changed; it takes effect with the next `prepare` or `play`.
  package var canChangeRate: Bool {
    get { state.withLock(\.canChangeRate) }
    set { state.withLock { $0.canChangeRate = newValue } }
  }

  private func applyRate(_ state: inout State) {
    let rate = state.canChangeRate ? state.rate : 1
    if let unit = state.stretcher?.unit {
      unit[.speed] = rate
    } else if player.speed != rate, state.stretcher != nil {
      player.speed = rate
    }
  }

  /// The position in seconds; 0 at the end.
  package var seconds: Double {
    get {
      state.withLock { position(&$0) }
    }
    set {
      state.withLock { state in
        state.hasEnded = false
        locate(newValue.isFinite ? min(1e9, max(0, newValue)) : 0, &state)
      }
    }
  }

  /// The next frame of the sound, at its own rate; nil after the end.
  package var frame: SampleTime? {
    let (place, hasEnded) = state.withLock { state -> (Double, Bool) in
      (position(&state), state.hasEnded)
    }
    let rate = player.position.rate
    return hasEnded ? nil : SampleTime(frames: Int64((place * Double(rate.hertz)).rounded()))
  }

  /// Drops a position that was asked for once it is in effect.
  private func settle(_ state: inout State) {
    if state.wanted?.receipt?.isInEffect == true { state.wanted = nil }
  }

  private func position(_ state: inout State) -> Double {
    if state.hasEnded { return 0 }
    // While it stands, the position is exactly the one that was asked for.
    if !state.isPlaying, let wanted = state.wanted { return wanted.seconds }
    settle(&state)
    if let wanted = state.wanted { return wanted.seconds }
    return player.position.seconds.approximation
  }

  /// Goes to a frame of the sound, at its own rate.
  ///
  /// - Parameter frame: The frame.
  /// - Returns: The order to the render thread; nil while the player is not on the output.
  package func locate(to frame: SampleTime) -> AudioReceipt? {
    state.withLock { state in
      state.hasEnded = false
      locate(Double(frame.frames) / Double(player.position.rate.hertz), &state)
      return state.wanted?.receipt
    }
  }

  private func locate(_ seconds: Double, _ state: inout State) {
    guard state.seat != nil else { return state.wanted = (seconds, nil) }
    let rate = player.position.rate
    let frame = SampleTime(frames: Int64((seconds * Double(rate.hertz)).rounded()))
    state.wanted = (seconds, player.locate(to: frame, item: 0))
  }
}
