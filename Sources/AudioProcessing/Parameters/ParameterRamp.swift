// SPDX-License-Identifier: Apache-2.0

/// A value that moves to its target in a straight line, one equal step a frame.
///
/// A ramp of n frames has moved 1/n of the way after its first frame and stands on its target
/// exactly after its last.
///
/// - Note: Real-time safe.
public struct ParameterRamp: BitwiseCopyable, Sendable {
  /// Where the value is.
  public private(set) var value: Float
  /// Where it goes.
  public private(set) var target: Float
  /// The frames left until it is there.
  public private(set) var remainingFrames: Int = 0

  /// Creates a ramp at rest.
  public init(_ value: Float) {
    self.value = value
    target = value
  }

  /// Sets off for a target, from wherever the value is.
  ///
  /// - Parameters:
  ///   - target: where to go.
  ///   - frameCount: in how many frames; 0 jumps.
  @_noAllocation @_noLocks
  public mutating func move(to target: Float, over frameCount: Int) {
    self.target = target
    remainingFrames = max(0, frameCount)
    if remainingFrames == 0 { value = target }
  }

  /// Moves one frame on and returns the value there.
  @_noAllocation @_noLocks
  public mutating func next() -> Float {
    guard remainingFrames > 0 else { return value }
    value += (target - value) / Float(remainingFrames)
    remainingFrames &-= 1
    if remainingFrames == 0 { value = target }
    return value
  }

  /// Adds a quantum of a signal, times the value, to another.
  @_noAllocation @_noLocks
  public mutating func mix(_ source: UnsafePointer<Float>, into sum: UnsafeMutablePointer<Float>) {
    if remainingFrames == 0 {
      if value == 0 { return }
      for frame in 0..<AudioFormat.quantum { unsafe sum[frame] += source[frame] * value }
    } else {
      for frame in 0..<AudioFormat.quantum { unsafe sum[frame] += source[frame] * next() }
    }
  }

  /// Multiplies a quantum of a signal by the value.
  @_noAllocation @_noLocks
  public mutating func scale(_ signal: UnsafeMutablePointer<Float>) {
    if remainingFrames == 0 {
      if value == 1 { return }
      for frame in 0..<AudioFormat.quantum { unsafe signal[frame] *= value }
    } else {
      for frame in 0..<AudioFormat.quantum { unsafe signal[frame] *= next() }
    }
  }
}
