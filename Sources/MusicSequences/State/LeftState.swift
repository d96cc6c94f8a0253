// SPDX-License-Identifier: Apache-2.0

/// The state of the destinations after a song, for the song that follows.
public struct LeftState: Sendable {
  /// The state.
  public let state: ChaseState
  /// The interruption of playback since then.
  public let interruption: ChaseState.Interruption

  /// Creates the value.
  public init(_ state: ChaseState, _ interruption: ChaseState.Interruption) {
    (self.state, self.interruption) = (state, interruption)
  }
}
