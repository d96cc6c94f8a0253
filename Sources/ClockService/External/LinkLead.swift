// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// The functions with which a song controls an Ableton Link session; called on the event thread.
public struct LinkLead: Sendable {
  /// Sets the session's tempo, in microseconds per beat, from a host time on.
  public let setTempo: @Sendable (Int64, HostTime) -> Void
  /// Starts (true) or stops (false) the session at one of its beats, given in millionths of a beat.
  public let setPlaying: @Sendable (Bool, Int64) -> Void

  /// Creates the functions.
  ///
  /// - Parameters:
  ///   - setTempo: Sets the session's tempo, in microseconds per beat, from a host time on.
  ///   - setPlaying: Starts (true) or stops (false) the session at one of its beats, given in
  ///     millionths of a beat.
  public init(
    setTempo: @escaping @Sendable (Int64, HostTime) -> Void,
    setPlaying: @escaping @Sendable (Bool, Int64) -> Void
  ) {
    (self.setTempo, self.setPlaying) = (setTempo, setPlaying)
  }
}
