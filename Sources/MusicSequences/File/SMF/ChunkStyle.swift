// SPDX-License-Identifier: Apache-2.0

/// Whether the writer makes the same bytes of a chunk's events, and in which of its two ways.
struct ChunkStyle: BitwiseCopyable {
  /// A running status was made use of.
  var omits = false
  /// A status was given although it ran.
  var repeats = false
  /// Something stands otherwise than the writer has it.
  var isOdd = false

  /// Whether the writer's bytes are the chunk's with running status or without; nil: neither.
  var usesRunningStatus: Bool? {
    isOdd || omits && repeats ? nil : !repeats
  }
}
