// SPDX-License-Identifier: Apache-2.0

/// A position in a piece of music, in nanoseconds from its origin at its own tempo.
///
/// Host time is when something sounds; media time is where in the piece it stands. A `Timeline`
/// and a play rate join the two.
public struct MediaTime: Instant {
  /// Nanoseconds from the origin; negative before it.
  public var nanoseconds: Int64

  /// Creates a position from nanoseconds.
  @inlinable
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }
}
