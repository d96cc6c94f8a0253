// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// What a session of Ableton Link says to who follows it: its beats on the host's clock, and
/// whether it plays.
public struct LinkedBeats: BitwiseCopyable, Sendable {
  /// Whether a session plays.
  public enum Motion: Hashable, BitwiseCopyable, Sendable {
    /// Nobody has started or stopped anything yet: whoever likes plays.
    case free
    /// Somebody started it, at a beat counted in millionths.
    case playing(from: Int64)
    /// Somebody stopped it.
    case stopped
  }

  /// The line of beats, in millionths of one.
  public var line: Timeline<Tick, HostTime>
  /// Whether the session plays.
  public var motion: Motion
  /// How often another session, with other beats, took the place of the last.
  public var sessions: UInt32
  /// Whether who is there has been heard by now, so that no older session is to be expected.
  public var isSettled: Bool

  /// Creates what is said.
  public init(
    line: Timeline<Tick, HostTime>, motion: Motion, sessions: UInt32, isSettled: Bool
  ) {
    (self.line, self.motion) = (line, motion)
    (self.sessions, self.isSettled) = (sessions, isSettled)
  }
}
