// SPDX-License-Identifier: Apache-2.0

/// A note for drawing.
package struct SongNote: Hashable, BitwiseCopyable, Sendable {
  /// The start and end, in seconds from the beginning of the song.
  package let start: Double
  package let end: Double
  /// The key, 0…127.
  package let key: UInt8
  /// The channel index over all ports, 0…255: sixteen for each port.
  package let channel: UInt8
  /// The velocity, 1…127.
  package let velocity: UInt8
}
