// SPDX-License-Identifier: Apache-2.0

/// What a render gave, and what it had to put right.
public struct RenderReport: Hashable, Sendable {
  /// Frames rendered.
  public let frameCount: Int64
  /// Samples that were no numbers and became silence.
  public let faultySampleCount: Int
  /// The names of the units whose samples they were, in the order of the graph.
  public internal(set) var faultyUnits: [String] = []
  /// Frames that were turned down because they were too loud.
  public let limitedFrameCount: Int
  /// The least factor they were turned down by; 1 where none was.
  public let lowestGain: Float
}
