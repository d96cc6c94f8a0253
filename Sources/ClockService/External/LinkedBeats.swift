// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// The state of an Ableton Link session for a follower: its beats in host time, and its play state.
public struct LinkedBeats: BitwiseCopyable, Sendable {
  /// The play state of a session.
  public enum Motion: Hashable, BitwiseCopyable, Sendable {
    /// The play state was never set; followers may play.
    case free
    /// A peer started the session at a beat, in millionths.
    case playing(from: Int64)
    /// A peer stopped the session.
    case stopped
  }

  /// The line from millionths of a beat to host time.
  public var line: Timeline<Tick, HostTime>
  /// The play state.
  public var motion: Motion
  /// The number of times that a session with other beats replaced the last one.
  public var sessions: UInt32
  /// True once discovery has had enough time, so that no older session is expected.
  public var isSettled: Bool

  /// Creates a state.
  public init(
    line: Timeline<Tick, HostTime>, motion: Motion, sessions: UInt32, isSettled: Bool
  ) {
    (self.line, self.motion) = (line, motion)
    (self.sessions, self.isSettled) = (sessions, isSettled)
  }
}
