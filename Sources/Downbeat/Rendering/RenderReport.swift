// SPDX-License-Identifier: Apache-2.0

/// The result of a rendering: its length, and what had to be corrected.
public struct RenderReport: Hashable, Sendable {
  /// The number of rendered frames.
  public let frameCount: Int64
  /// The number of NaN or infinite samples, which were replaced by silence.
  public let faultySampleCount: Int
  /// The names of the units that produced faulty samples, in the order of the graph.
  public internal(set) var faultyUnits: [String] = []
  /// The number of frames that the limiter made softer.
  public let limitedFrameCount: Int
  /// The lowest gain of the limiter, as a factor; 1 if it changed nothing.
  public let lowestGain: Float
}
