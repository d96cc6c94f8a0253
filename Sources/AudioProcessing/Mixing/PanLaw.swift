// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// How a position between left and right becomes two gains.
public enum PanLaw: String, Hashable, Sendable, CaseIterable {
  /// Full level on both sides in the middle; to one side, only the other is turned down, in a
  /// straight line. It leaves a stereo signal alone in the middle.
  case balance
  /// The same power everywhere: −3.01 dB in the middle.
  case constantPower
  /// The same sum everywhere: −6.02 dB in the middle.
  case linear
  /// Halfway between the two in decibels: −4.52 dB in the middle.
  case compromise

  /// The two gains at a position.
  ///
  /// - Parameter pan: −1 is left, 0 the middle, 1 right; held within that range.
  /// - Returns: linear gains, each 0…1; with `constantPower` 0.7071 and 0.7071 in the middle.
  public func gains(at pan: Float) -> (left: Float, right: Float) {
    let pan = Double(min(1, max(-1, pan)))
    let right = (pan + 1) / 2
    let left = 1 - right
    let angle = right * .pi / 2
    switch self {
    case .balance: return (Float(min(1, 1 - pan)), Float(min(1, 1 + pan)))
    case .constantPower: return (Float(pan == 1 ? 0 : cos(angle)), Float(sin(angle)))
    case .linear: return (Float(left), Float(right))
    case .compromise:
      return (
        Float(pan == 1 ? 0 : (cos(angle) * left).squareRoot()),
        Float((sin(angle) * right).squareRoot())
      )
    }
  }
}
