// SPDX-License-Identifier: Apache-2.0

/// A value that moves linearly to a target, by the same amount at each frame.
///
/// After k frames, a ramp of n frames has moved by k/n of the distance, without accumulated error.
/// After the last frame the value is exactly the target.
///
/// - Note: Real-time safe.
public struct ParameterRamp: BitwiseCopyable, Sendable {
  /// The current value.
  public private(set) var value: Float
  /// The value at the end of the ramp.
  public private(set) var target: Float
  private var start: Float
  private var passedFrames = 0
  private var length = 0

  /// Creates a ramp that is at its target.
  public init(_ value: Float) {
    self.value = value
    target = value
    start = value
  }

  /// The number of frames until the value reaches its target.
  public var remainingFrames: Int {
    @_noAllocation @_noLocks
    get { length &- passedFrames }
  }

  /// Starts a ramp to a target, from the current value.
  ///
  /// - Parameters:
  ///   - target: the value to reach.
  ///   - frameCount: the duration in frames; with 0, the value changes at once.
  @_noAllocation @_noLocks
  public mutating func move(to target: Float, over frameCount: Int) {
    self.target = target
    start = value
    passedFrames = 0
    length = max(0, frameCount)
    if length == 0 { value = target }
  }

  /// Advances by one frame and returns the value.
  @_noAllocation @_noLocks
  public mutating func next() -> Float {
    guard passedFrames < length else { return value }
    passedFrames &+= 1
    value =
      passedFrames == length
      ? target : start + (target - start) * (Float(passedFrames) / Float(length))
    return value
  }

  /// Advances by a number of frames, and writes the value at each frame.
  @_noAllocation @_noLocks
  public mutating func fill(_ values: UnsafeMutablePointer<Float>, count: Int) {
    let moving = min(count, remainingFrames)
    for frame in 0..<moving { unsafe values[frame] = next() }
    for frame in moving..<max(moving, count) { unsafe values[frame] = value }
  }
}
