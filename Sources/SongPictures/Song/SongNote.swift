// SPDX-License-Identifier: Apache-2.0

/// A note as it is drawn.
package struct SongNote: Hashable, BitwiseCopyable, Sendable {
  /// Seconds from the beginning of the song.
  package let start: Double
  package let end: Double
  /// 0…127.
  package let key: UInt8
  /// 0…255: sixteen for each port.
  package let channel: UInt8
  /// 1…127.
  package let velocity: UInt8
}
