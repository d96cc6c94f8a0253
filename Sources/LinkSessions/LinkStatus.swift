// SPDX-License-Identifier: Apache-2.0
package import LinkProtocol
package import MusicalTime

/// How a peer stands, as the control side reads it.
package struct LinkStatus: BitwiseCopyable, Sendable {
  /// The session's micro-beats on the host's clock.
  package var line: Timeline<MicroBeat, HostTime>
  /// The length of a beat.
  package var microsecondsPerBeat: Int64
  /// Whether the session plays; what nobody has touched has the time stamp 0.
  package var startStop: LinkStartStop
  /// How many others are in the session.
  package var peerCount: Int
  /// How many ways there are to others; 0 where there is no network.
  package var gatewayCount: Int
  /// Whether the session is our own.
  package var isFounder: Bool
  /// By how much the session's clock was elsewhere than expected when it was last measured, in
  /// nanoseconds.
  package var lastError: Int64
  /// By how many 10⁻⁹ the session's clock is faster than ours.
  package var drift: Int64

  /// Whether the session plays.
  package var isPlaying: Bool { startStop.isPlaying }

  /// True after a peer has started or stopped the session; most sessions only share beats.
  package var usesStartStop: Bool { startStop.timestamp != 0 }

  /// The tempo.
  package var beatsPerMinute: Double { 60e6 / Double(microsecondsPerBeat) }
}
