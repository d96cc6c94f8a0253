// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicSequences
internal import MusicalTime

/// The fewest messages that turn the state at one tick into the state at another.
struct ChaseMessages: Sendable {
  let restoration: ChaseState.Restoration
  let parameters: [ChasedParameter]
  private let ticks: (old: Tick?, new: Tick)

  /// The current state of the destinations, and the interruption of playback since then.
  enum Force {
    /// The destinations are in their initial state.
    case nothing
    /// The destinations have the state at a tick of a score.
    case tick(Tick, PlayerScore, ChaseState.Interruption)
    /// The destinations have the state after another song.
    case left(LeftState)
  }

  /// Computes the messages.
  ///
  /// - Parameters:
  ///   - tick: The new position.
  ///   - score: The score at the new position.
  ///   - force: The current state of the destinations.
  ///   - device: The kind of device, which determines the initial values.
  init(to tick: Tick, in score: PlayerScore, after force: Force, on device: StateDevice) {
    let state = score.chase.state(at: tick)
    let parameters = score.parameters(of: state, at: tick)
    switch force {
    case .nothing:
      (restoration, self.parameters, ticks) = (state.restoration, parameters, (nil, tick))
    case .left(let other):
      restoration = state.restoration(after: other.state, other.interruption, on: device)
      (self.parameters, ticks) = (parameters, (nil, tick))
    case .tick(let old, let oldScore, let interruption):
      let known = oldScore.chase.state(at: old)
      restoration = state.restoration(after: known, interruption, on: device)
      let inForce = oldScore === score ? Set(score.parameters(of: known, at: old)) : []
      self.parameters = parameters.filter { !inForce.contains($0) }
      ticks = (old, tick)
    }
  }

  /// The event that set a parameter, and the parameter's current value, which differs from the
  /// event's during a ramp.
  struct ChasedParameter: Hashable, Sendable {
    let event: CursorEvent
    let value: Float
  }

  func isBetween(_ old: Tick, _ new: Tick) -> Bool {
    ticks.old == old && ticks.new == new
  }
}

extension PlayerScore {
  fileprivate func parameters(
    of state: ChaseState, at tick: Tick
  ) -> [ChaseMessages.ChasedParameter] {
    state.parameters.compactMap { event in
      guard let change = parameterChange(event) else { return nil }
      let value = ramps.ramp(from: event)?.value(at: tick) ?? change.value
      return ChaseMessages.ChasedParameter(event: event, value: value)
    }
  }

  /// The change of a parameter by an event; nil for other events.
  func parameterChange(_ event: CursorEvent) -> ParameterChange? {
    guard case .parameter(let place) = event.kind else { return nil }
    return sequence.tracks[Int(event.track)].parameter(at: place).map(ParameterChange.init)
  }
}
