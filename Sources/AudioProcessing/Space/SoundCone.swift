// SPDX-License-Identifier: Apache-2.0

/// How much quieter a source is heard that looks past the listener, as OpenAL has it.
public struct SoundCone: Hashable, BitwiseCopyable, Sendable {
  /// The whole angle within which it is at its loudest, 0…360 degrees.
  public var innerAngle: Float
  /// The whole angle outside which it is at its quietest, 0…360 degrees.
  public var outerAngle: Float
  /// The factor outside, 0…1.
  public var outerGain: Float

  /// Creates a cone; without values, one that is as loud all around.
  @_noAllocation @_noLocks
  public init(innerAngle: Float = 360, outerAngle: Float = 360, outerGain: Float = 0) {
    self.innerAngle = innerAngle
    self.outerAngle = outerAngle
    self.outerGain = outerGain
  }

  /// The gain for who is off the axis: a straight line, by the angle, from the inner to the outer.
  ///
  /// - Parameter degrees: between where the source looks and where the listener is, 0…180.
  /// - Returns: 1 up to half the inner angle, `outerGain` from half the outer one on.
  /// - Note: Real-time safe.
  /// Source: OpenAL 1.1 Specification, 4.3.5.
  @_noAllocation @_noLocks
  public func gain(at degrees: Float) -> Float {
    let whole = 2 * degrees
    if whole <= innerAngle { return 1 }
    if whole >= outerAngle { return outerGain }
    return 1 + (outerGain - 1) * (whole - innerAngle) / (outerAngle - innerAngle)
  }
}
