// SPDX-License-Identifier: Apache-2.0

/// A track with remaining events, and the tick of its next event.
///
/// Ordered by tick, then by track.
struct WaitingTrack: Comparable, BitwiseCopyable, Sendable {
  var tick: UInt64
  var track: Int32

  static func < (one: WaitingTrack, other: WaitingTrack) -> Bool {
    one.tick != other.tick ? one.tick < other.tick : one.track < other.track
  }
}
