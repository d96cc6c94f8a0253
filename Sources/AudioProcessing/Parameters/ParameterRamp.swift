// SPDX-License-Identifier: Apache-2.0

/// A value that moves to its target in a straight line, one equal step a frame.
///
/// A ramp of n frames has moved k/n of the way after k frames, without accumulated error, and
/// stands on its target exactly after the last.
///
/// - Note: Real-time safe.
public struct ParameterRamp: BitwiseCopyable, Sendable {
  /// Where the value is.
  public private(set) var value: Float
  /// Where it goes.
  public private(set) var target: Float
  private var start: Float
  private var passedFrames = 0
  private var length = 0

  /// Creates a ramp at rest.
  public init(_ value: Float) {
    self.value = value
    target = value
    start = value
  }

  /// The frames left until the value stands on its target.
  public var remainingFrames: Int {
    @_noAllocation @_noLocks
    get { length &- passedFrames }
  }

  /// Sets off for a target, from wherever the value is.
  ///
  /// - Parameters:
  ///   - target: where to go.
  ///   - frameCount: in how many frames; 0 jumps.
  @_noAllocation @_noLocks
  public mutating func move(to target: Float, over frameCount: Int) {
    self.target = target
    start = value
    passedFrames = 0
    length = max(0, frameCount)
    if length == 0 { value = target }
  }

  /// Moves one frame on and returns the value there.
  @_noAllocation @_noLocks
  public mutating func next() -> Float {
    guard passedFrames < length else { return value }
    passedFrames &+= 1
    value =
      passedFrames == length
      ? target : start + (target - start) * (Float(passedFrames) / Float(length))
    return value
  }

  /// Moves a number of frames on and writes the value of each.
  @_noAllocation @_noLocks
  public mutating func fill(_ values: UnsafeMutablePointer<Float>, count: Int) {
    let moving = min(count, remainingFrames)
    for frame in 0..<moving { unsafe values[frame] = next() }
    for frame in moving..<max(moving, count) { unsafe values[frame] = value }
  }
}
