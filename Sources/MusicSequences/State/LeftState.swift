// SPDX-License-Identifier: Apache-2.0

/// The state that a song has left in the destinations, for the song that follows it there.
public struct LeftState: Sendable {
  /// The state.
  public let state: ChaseState
  /// The interruption of playing since.
  public let interruption: ChaseState.Interruption

  /// Creates the state that is left.
  public init(_ state: ChaseState, _ interruption: ChaseState.Interruption) {
    (self.state, self.interruption) = (state, interruption)
  }
}
