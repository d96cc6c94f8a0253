// SPDX-License-Identifier: Apache-2.0

/// What a render came to.
public struct RenderReport: Hashable, Sendable {
  /// Frames rendered.
  public let frameCount: Int64
  /// Samples above full scale that were brought down to it.
  public let clampedSampleCount: Int
  /// Samples that were no numbers and became silence.
  public let faultySampleCount: Int
}
