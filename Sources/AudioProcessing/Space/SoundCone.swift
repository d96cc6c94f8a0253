// SPDX-License-Identifier: Apache-2.0

/// A sound cone, which reduces the gain of a source that does not face the listener, as in OpenAL.
public struct SoundCone: Hashable, BitwiseCopyable, Sendable {
  /// The full angle of the inner cone, within which the gain is 1, 0…360 degrees.
  public var innerAngle: Float
  /// The full angle of the outer cone, outside which the gain is `outerGain`, 0…360 degrees.
  public var outerAngle: Float
  /// The gain outside the outer cone, a factor 0…1.
  public var outerGain: Float

  /// Creates a cone; by default the level is the same in all directions.
  @_noAllocation @_noLocks
  public init(innerAngle: Float = 360, outerAngle: Float = 360, outerGain: Float = 0) {
    self.innerAngle = innerAngle
    self.outerAngle = outerAngle
    self.outerGain = outerGain
  }

  /// Computes the gain for an angle.
  ///
  /// Between the inner and the outer cone the gain changes linearly.
  ///
  /// - Parameter degrees: the angle between the facing direction and the direction to the listener,
  ///   0…180.
  /// - Returns: 1 up to half the inner angle, and `outerGain` from half the outer angle.
  /// - Note: Real-time safe. Source: OpenAL 1.1 Specification, 4.3.5.
  @_noAllocation @_noLocks
  public func gain(at degrees: Float) -> Float {
    let whole = 2 * degrees
    if whole <= innerAngle { return 1 }
    if whole >= outerAngle { return outerGain }
    return 1 + (outerGain - 1) * (whole - innerAngle) / (outerAngle - innerAngle)
  }
}
