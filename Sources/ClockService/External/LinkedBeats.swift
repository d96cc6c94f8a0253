// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// The state of an Ableton Link session, as its follower reads it: the relation of beats to host
/// time, and the play state.
public struct LinkedBeats: BitwiseCopyable, Sendable {
  /// The play state of a session.
  public enum Motion: Hashable, BitwiseCopyable, Sendable {
    /// The play state was never set, so followers may start at any bar.
    case free
    /// A peer started the session at this beat, in millionths of a beat.
    case playing(from: Int64)
    /// A peer stopped the session, so followers wait until a peer starts it.
    case stopped
  }

  /// The mapping from millionths of a beat to host time.
  public var line: Timeline<Tick, HostTime>
  /// The play state of the session.
  public var motion: Motion
  /// The number of times that a session with different beats has replaced the previous session.
  public var sessions: UInt32
  /// True once discovery has run long enough that an older session is not expected any more.
  public var isSettled: Bool

  /// Creates a state from its values.
  public init(
    line: Timeline<Tick, HostTime>, motion: Motion, sessions: UInt32, isSettled: Bool
  ) {
    (self.line, self.motion) = (line, motion)
    (self.sessions, self.isSettled) = (sessions, isSettled)
  }
}
