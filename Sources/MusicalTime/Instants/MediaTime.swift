// SPDX-License-Identifier: Apache-2.0

/// A position in a song, as the time from its start at the written tempo, in nanoseconds.
///
/// Host time is the time at which an event is audible, and media time is its position in the song.
/// A `Timeline` maps media time to host time, depending on the play rate.
public struct MediaTime: Instant {
  /// Nanoseconds from the start of the song; negative before it.
  public var nanoseconds: Int64

  /// Creates a position from nanoseconds.
  @inlinable
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }
}
