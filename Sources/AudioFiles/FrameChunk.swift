// SPDX-License-Identifier: Apache-2.0

/// The number of frames that are read, converted or written in one step.
///
/// A file can state 1024 channels, and 8192 frames of these would take 64 MiB in each step.
enum FrameChunk {
  /// The maximum number of samples: 8192 frames of 32 channels, 2 MiB as doubles.
  private static let mostSamples = 1 << 18

  /// The number of frames for a number of channels: at most `most`, and at least one.
  static func frameCount(atMost most: Int, channelCount: Int) -> Int {
    min(most, max(1, mostSamples / max(1, channelCount)))
  }
}
