// SPDX-License-Identifier: Apache-2.0

/// Records how a chunk is written, to determine if the writer would produce the same bytes.
struct ChunkStyle: BitwiseCopyable {
  /// A status byte was omitted because of running status.
  var omits = false
  /// A status byte was repeated although running status was in force.
  var repeats = false
  /// The chunk differs from the writer's output in another way.
  var isOdd = false

  /// The writer's setting that reproduces the chunk: with or without running status.
  ///
  /// Nil if neither does.
  var usesRunningStatus: Bool? {
    isOdd || omits && repeats ? nil : !repeats
  }
}
