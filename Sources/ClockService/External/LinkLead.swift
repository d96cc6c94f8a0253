// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// What leads a session of Ableton Link is told of, on the event thread.
public struct LinkLead: Sendable {
  /// Each tempo of what is played, in microseconds a beat, and when it begins.
  public let setTempo: @Sendable (Int64, HostTime) -> Void
  /// That what is played starts or stops, and at which beat of the session, in millionths.
  public let setPlaying: @Sendable (Bool, Int64) -> Void

  /// Creates one.
  ///
  /// - Parameters:
  ///   - setTempo: Is told of each tempo, in microseconds a beat, and when it begins.
  ///   - setPlaying: Is told of starts and stops, and of their beats in millionths.
  public init(
    setTempo: @escaping @Sendable (Int64, HostTime) -> Void,
    setPlaying: @escaping @Sendable (Bool, Int64) -> Void
  ) {
    (self.setTempo, self.setPlaying) = (setTempo, setPlaying)
  }
}
