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
  /// The gain at a distance, between one at which it is 1 and one from which on it stays.
  ///
  /// - Parameters:
  ///   - distance: in metres, from 0; held between the other two.
  ///   - rolloff: how fast the sound fades; 0 leaves it alone.
  ///   - reference: up to which distance the gain is 1, above 0.
  ///   - farthest: from which distance on it fades no more, and where `linear` reaches 0 with a
  ///     rolloff of 1; what is below the reference counts as that.
  /// - Returns: a factor, 0…1.
  /// - Note: Real-time safe.
  /// Source: OpenAL 1.1 Specification, 3.4: AL_INVERSE_DISTANCE_CLAMPED and the two like it.
  @_noAllocation @_noLocks
  public func gain(
    at distance: Float, rolloff: Float, reference: Float, farthest: Float
  ) -> Float {
    let beyond = max(0, min(distance, farthest) - reference)
    switch self {
    case .inverse: return reference / (reference + rolloff * beyond)
    case .exponential:
      return Float(SampleMath.power(1 + Double(beyond) / Double(reference), Double(-rolloff)))
    case .linear:
      let way = farthest - reference
      return way > 0 ? max(0, 1 - rolloff * beyond / way) : 1
    }
  }
}
