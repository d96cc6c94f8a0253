// SPDX-License-Identifier: Apache-2.0

/// A position in a song, in nanoseconds from its start, at the tempo as written.
///
/// Host time is when something sounds; media time is its position in the song. A `Timeline` and a
/// play rate connect the two.
public struct MediaTime: Instant {
  /// Nanoseconds from the start of the song; negative before it.
  public var nanoseconds: Int64

  /// Creates a position from nanoseconds.
  @inlinable
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }
}
