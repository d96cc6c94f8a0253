// SPDX-License-Identifier: Apache-2.0

/// Whether a session plays, and since which beat.
package struct LinkStartStop: Hashable, BitwiseCopyable, Sendable {
  /// What a session says where nobody has started or stopped anything.
  package static let untouched = LinkStartStop(isPlaying: false, beats: 0, timestamp: 0)

  /// Whether it plays.
  package var isPlaying: Bool
  /// The beat at which it starts or stopped, in micro-beats.
  package var beats: Int64
  /// When somebody did it, in microseconds of the session's time; the latest counts.
  package var timestamp: Int64

  /// Creates a state.
  package init(isPlaying: Bool, beats: Int64, timestamp: Int64) {
    (self.isPlaying, self.beats, self.timestamp) = (isPlaying, beats, timestamp)
  }
}
