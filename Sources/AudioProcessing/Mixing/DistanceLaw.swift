// SPDX-License-Identifier: Apache-2.0

/// How sound grows quieter with distance; within 1 m it does not.
public enum DistanceLaw: UInt8, Hashable, Sendable, CaseIterable {
  /// 1 / (1 + rolloff · (d − 1)): with a rolloff of 1, half for each doubling of the distance.
  case inverse
  /// d to the power of −rolloff.
  case exponential
  /// A straight line, which with a rolloff of 1 reaches 0 at 100 m.
  case linear

  /// The gain at a distance.
  ///
  /// - Parameters:
  ///   - distance: in metres, from 0.
  ///   - rolloff: how fast the sound fades; 0 leaves it alone.
  /// - Returns: a factor, 0…1.
  /// - Note: Real-time safe.
  @_noAllocation @_noLocks
  public func gain(at distance: Float, rolloff: Float) -> Float {
    let beyond = max(0, distance - 1)
    switch self {
    case .inverse: return 1 / (1 + rolloff * beyond)
    case .exponential: return Float(SampleMath.power(Double(1 + beyond), Double(-rolloff)))
    case .linear: return max(0, 1 - rolloff * beyond / 99)
    }
  }
}
