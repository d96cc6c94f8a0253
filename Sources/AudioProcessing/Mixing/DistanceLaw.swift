// SPDX-License-Identifier: Apache-2.0

/// The rule by which the gain of a source decreases with its distance.
///
/// The gain is 1 up to the reference distance, 1 m by default.
public enum DistanceLaw: UInt8, Hashable, Sendable, CaseIterable {
  /// The gain at distance d is 1 / (1 + rolloff × (d − 1)): with a rolloff of 1, the gain halves
  /// when the distance doubles.
  case inverse
  /// The gain at distance d is d to the power of −rolloff.
  case exponential
  /// The gain falls in proportion to the distance; with a rolloff of 1 it reaches 0 at 100 m.
  case linear

  /// Computes the gain at a distance.
  ///
  /// The gain is 1 within 1 m.
  ///
  /// - Parameters:
  ///   - distance: the distance in metres, at least 0.
  ///   - rolloff: the strength of the attenuation; 0 turns it off.
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
  /// Computes the gain at a distance, with a reference distance and a farthest distance.
  ///
  /// - Parameters:
  ///   - distance: the distance in metres, limited to the range from `reference` to `farthest`.
  ///   - rolloff: the strength of the attenuation; 0 turns it off.
  ///   - reference: the distance up to which the gain is 1, above 0.
  ///   - farthest: the distance from which the gain is constant. With `linear` and a rolloff of 1,
  ///     the gain is 0 there. A value below `reference` is replaced by `reference`.
  /// - Returns: a factor, 0…1.
  /// - Note: Real-time safe. Source: OpenAL 1.1 Specification, 3.4: AL_INVERSE_DISTANCE_CLAMPED and
  ///   its variants.
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
