// SPDX-License-Identifier: Apache-2.0

/// The channels of a rendered file: stereo, or their mean as mono.
struct OutputChannels {
  /// The number of channels, 1 or 2.
  let count: Int

  /// Calls a function with samples for the file: interleaved stereo, or the mean of each pair.
  func withFrames<Result>(
    of mix: Span<Float>, _ body: (Span<Float>) throws -> Result
  ) rethrows -> Result {
    guard count == 1 else { return try body(mix) }
    let means = (0..<mix.count / 2).map { (mix[2 * $0] + mix[2 * $0 + 1]) / 2 }
    return try body(means.span)
  }

  /// Calls a function with frames of the file as stereo pairs, for a limiter that needs two
  /// channels.
  func withPairs<Result>(
    of frames: Span<Float>, _ body: (Span<Float>) throws -> Result
  ) rethrows -> Result {
    guard count == 1 else { return try body(frames) }
    let pairs = (0..<frames.count * 2).map { frames[$0 / 2] }
    return try body(pairs.span)
  }
}
