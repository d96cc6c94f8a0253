// SPDX-License-Identifier: Apache-2.0

/// The conversion of a pan position to the gains of left and right.
public enum PanLaw: UInt8, Hashable, BitwiseCopyable, Sendable, CaseIterable {
  /// In the centre, both sides have full level.
  ///
  /// Towards one side, the gain of the other falls linearly. A stereo signal in the centre is
  /// unchanged.
  case balance
  /// The power of both sides together is constant; in the centre, the gain of each side is −3.01
  /// dB.
  case constantPower
  /// The sum of both gains is constant; in the centre, the gain of each side is −6.02 dB.
  case linear
  /// The mean of `constantPower` and `linear` in decibels; in the centre, the gain of each side is
  /// −4.52 dB.
  case compromise

  /// The law for a valid raw value.
  @_noAllocation @_noLocks
  init(code: UInt8) {
    switch code {
    case 1: self = .constantPower
    case 2: self = .linear
    case 3: self = .compromise
    default: self = .balance
    }
  }

  /// Computes the gains at a pan position.
  ///
  /// - Parameter pan: −1 is left, 0 the centre, 1 right; other values are limited to this range.
  /// - Returns: linear gains, each 0…1. For example, `constantPower` gives 0.7071 and 0.7071 in the
  ///   centre.
  /// - Note: Real-time safe.
  @_noAllocation @_noLocks
  public func gains(at pan: Float) -> (left: Float, right: Float) {
    let pan = Double(min(1, max(-1, pan)))
    let right = (pan + 1) / 2
    let left = 1 - right
    switch self {
    case .balance: return (Float(min(1, 1 - pan)), Float(min(1, 1 + pan)))
    case .constantPower: return (Float(Self.sine(left)), Float(Self.sine(right)))
    case .linear: return (Float(left), Float(right))
    case .compromise:
      return (
        SampleMath.root(Float(Self.sine(left) * left)),
        SampleMath.root(Float(Self.sine(right) * right))
      )
    }
  }

  /// The sine of a fraction of a right angle, 0…1.
  @_noAllocation @_noLocks
  private static func sine(_ part: Double) -> Double { SampleMath.sine(part * (.pi / 2)) }
}
