// SPDX-License-Identifier: Apache-2.0

/// How a position between left and right becomes two gains.
public enum PanLaw: UInt8, Hashable, BitwiseCopyable, Sendable, CaseIterable {
  /// Full level on both sides in the middle; to one side, only the other is turned down, in a
  /// straight line. It leaves a stereo signal alone in the middle.
  case balance
  /// The same power everywhere: −3.01 dB in the middle.
  case constantPower
  /// The same sum everywhere: −6.02 dB in the middle.
  case linear
  /// Halfway between the two in decibels: −4.52 dB in the middle.
  case compromise

  /// The law of a raw value that is one.
  @_noAllocation @_noLocks
  init(code: UInt8) {
    switch code {
    case 1: self = .constantPower
    case 2: self = .linear
    case 3: self = .compromise
    default: self = .balance
    }
  }

  /// The two gains at a position.
  ///
  /// - Parameter pan: −1 is left, 0 the middle, 1 right; held within that range.
  /// - Returns: linear gains, each 0…1; with `constantPower` 0.7071 and 0.7071 in the middle.
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

  /// The sine of a part of a quarter turn, 0…1.
  @_noAllocation @_noLocks
  private static func sine(_ part: Double) -> Double { SampleMath.sine(part * (.pi / 2)) }
}
