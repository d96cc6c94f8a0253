// SPDX-License-Identifier: Apache-2.0

/// The number of frames that are read, converted or written at once.
///
/// A file may claim 1024 channels: 8192 frames of them would take 64 MiB at each step.
enum FrameChunk {
  /// The most samples: 8192 frames of 32 channels, 2 MiB of doubles.
  private static let mostSamples = 1 << 18

  /// The frames of a number of channels, at most as many as asked for, at least one.
  static func frameCount(atMost most: Int, channelCount: Int) -> Int {
    min(most, max(1, mostSamples / max(1, channelCount)))
  }
}
