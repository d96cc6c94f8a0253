// SPDX-License-Identifier: Apache-2.0

/// The play state of a session, with the beat at which it changed.
package struct LinkStartStop: Hashable, BitwiseCopyable, Sendable {
  /// The state of a session that was never started or stopped.
  package static let untouched = LinkStartStop(isPlaying: false, beats: 0, timestamp: 0)

  /// True if the session plays.
  package var isPlaying: Bool
  /// The beat at which it starts or stops, in micro-beats.
  package var beats: Int64
  /// The time of the command in microseconds of the session's time; the latest command applies.
  package var timestamp: Int64

  /// Creates a state.
  package init(isPlaying: Bool, beats: Int64, timestamp: Int64) {
    (self.isPlaying, self.beats, self.timestamp) = (isPlaying, beats, timestamp)
  }
}
