// SPDX-License-Identifier: Apache-2.0
package import LinkProtocol
package import MusicalTime

/// The state of a peer, for the control side.
package struct LinkStatus: BitwiseCopyable, Sendable {
  /// The line from the session's micro-beats to host time.
  package var line: Timeline<MicroBeat, HostTime>
  /// The length of a beat in microseconds.
  package var microsecondsPerBeat: Int64
  /// The play state of the session; its timestamp is 0 if it was never set.
  package var startStop: LinkStartStop
  /// The number of other peers in the session.
  package var peerCount: Int
  /// The number of connections to networks; 0 without a network.
  package var gatewayCount: Int
  /// True if this peer founded the session.
  package var isFounder: Bool
  /// The difference of the session's clock from its prediction in the last measurement, in
  /// nanoseconds.
  package var lastError: Int64
  /// The difference in speed of the session's clock from host time, in 10⁻⁹; positive if it is
  /// faster.
  package var drift: Int64

  /// True if the session plays.
  package var isPlaying: Bool { startStop.isPlaying }

  /// True after a peer has started or stopped the session; most sessions only share beats.
  package var usesStartStop: Bool { startStop.timestamp != 0 }

  /// The tempo in beats per minute.
  package var beatsPerMinute: Double { 60e6 / Double(microsecondsPerBeat) }
}
