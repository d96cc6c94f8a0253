// SPDX-License-Identifier: Apache-2.0
internal import MusicSequences
internal import MusicalTime

/// The least that brings the state at a tick about where that of another is in force.
struct ChaseMessages: Sendable {
  let sysExes: [CursorEvent]
  let messages: [ChaseState.Routed]
  let parameters: [CursorEvent]
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
      (sysExes, messages, parameters) = (state.sysExes, state.messages, state.parameters)
      return
    }
    let known = oldScore.chase.state(at: old)
    sysExes = oldScore === score ? state.sysExes(after: known) : []
    parameters =
      oldScore === score ? state.parameters(after: known) : state.parameters
    // A reset leaves nothing of what was in force.
    messages =
      sysExes.contains { state.isReset($0, in: score.sequence) }
      ? state.messages : state.messages(after: known, interruption)
  }

  func isBetween(_ old: Tick, _ new: Tick) -> Bool {
    ticks.old == old && ticks.new == new
  }
}
