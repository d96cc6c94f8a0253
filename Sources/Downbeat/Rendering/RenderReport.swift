// SPDX-License-Identifier: Apache-2.0

/// The result of a rendering: its length, the faulty samples and the work of the limiter.
public struct RenderReport: Hashable, Sendable {
  /// The number of rendered frames.
  public let frameCount: Int64
  /// The number of NaN or infinite samples, which were replaced by silence.
  public let faultySampleCount: Int
  /// The names of the units that produced NaN or infinite samples, in the order of the graph.
  public internal(set) var faultyUnits: [String] = []
  /// The number of frames whose gain the limiter reduced.
  public let limitedFrameCount: Int
  /// The lowest gain that the limiter applied, as a factor; 1 if it did not reduce the gain.
  public let lowestGain: Float
}
