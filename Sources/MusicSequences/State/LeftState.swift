// SPDX-License-Identifier: Apache-2.0

/// The state in which a song leaves the destinations, used to prepare them for the next song.
public struct LeftState: Sendable {
  /// The state of the instruments when the song ended or stopped.
  public let state: ChaseState
  /// The event that has interrupted playback after `state` was reached, such as a release of all
  /// notes.
  public let interruption: ChaseState.Interruption

  /// Creates a value from a state and an interruption after it.
  public init(_ state: ChaseState, _ interruption: ChaseState.Interruption) {
    (self.state, self.interruption) = (state, interruption)
  }
}
