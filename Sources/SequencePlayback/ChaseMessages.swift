// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicSequences
internal import MusicalTime

/// The fewest messages that turn the state at one tick into the state at another.
struct ChaseMessages: Sendable {
  let sysExes: [CursorEvent]
  let messages: [ChaseState.Routed]
  let parameters: [ChasedParameter]
  private let ticks: (old: Tick?, new: Tick)

  /// Finds them.
  ///
  /// - Parameters:
  ///   - tick: where the transport goes.
  ///   - score: what is played there.
  ///   - old: where it was; nil where instruments are in their initial state.
  ///   - oldScore: what was played there.
  ///   - interruption: what was done to the old state.
  init(
    to tick: Tick, in score: PlayerScore, after old: Tick?, in oldScore: PlayerScore,
    _ interruption: ChaseState.Interruption
  ) {
    let state = score.chase.state(at: tick)
    ticks = (old, tick)
    guard let old else {
      (sysExes, messages) = (state.sysExes, state.messages)
      parameters = score.parameters(of: state, at: tick)
      return
    }
    let known = oldScore.chase.state(at: old)
    sysExes = oldScore === score ? state.sysExes(after: known) : []
    let inForce = oldScore === score ? Set(score.parameters(of: known, at: old)) : []
    parameters = score.parameters(of: state, at: tick).filter { !inForce.contains($0) }
    // A reset leaves nothing of what was in force.
    messages =
      sysExes.contains { state.isReset($0, in: score.sequence) }
      ? state.messages : state.messages(after: known, interruption)
  }

  /// An event that set a parameter, and the value that it has since: another on the way to the
  /// next event.
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

  /// What an event asks of a parameter; nil where it asks for nothing.
  func parameterChange(_ event: CursorEvent) -> ParameterChange? {
    guard case .parameter(let place) = event.kind else { return nil }
    return sequence.tracks[Int(event.track)].parameter(at: place).map(ParameterChange.init)
  }
}
