// SPDX-License-Identifier: Apache-2.0

extension Timeline {
  /// The same piece in another count: `multiplier` new counts to `divisor` old ones, exactly.
  ///
  /// MIDI clocks become ticks by PPQN/24: at 480 PPQN, 20 ticks a clock.
  ///
  /// - Parameters:
  ///   - count: What is counted.
  ///   - multiplier: New counts; above zero.
  ///   - divisor: Old counts that are as long; above zero.
  /// - Returns: The piece, without any rounding.
  /// - Precondition: `numerator · divisor` and `denominator · multiplier` fit 64 bits.
  /// - Note: Real-time safe.
  @inlinable
  public func rescaled<Other>(
    to count: Other.Type = Other.self, multiplier: Int64, over divisor: Int64
  ) -> Timeline<Other> {
    // A count m is the old count m·b/a, so its instant is S/d + (m·b/a − c)·n/d; with m the
    // floor of c·a/b, everything stays whole over d·a.
    let scaledOrigin = Int128(countOrigin) * Int128(multiplier)
    let origin = Self.floorDivide(scaledOrigin, Int128(divisor))
    let distance = (origin * Int128(divisor) - scaledOrigin) * Int128(numerator)
    return Timeline<Other>(
      countOrigin: Int64(origin),
      scaledHostOrigin: scaledHostOrigin * Int128(multiplier) + distance,
      numerator: numerator * divisor, denominator: denominator * multiplier,
      validUntil: validUntil)
  }

  /// The same piece so many nanoseconds later; earlier below zero.
  ///
  /// - Note: Real-time safe.
  @inlinable
  public func moved(byNanoseconds distance: Int64) -> Timeline {
    Timeline(
      countOrigin: countOrigin,
      scaledHostOrigin: scaledHostOrigin + Int128(distance) * Int128(denominator),
      numerator: numerator, denominator: denominator,
      validUntil: validUntil == HostTime(nanoseconds: .max)
        ? validUntil : validUntil.advanced(saturating: distance))
  }
}

extension Timeline where Count == MIDIClock {
  /// The piece in ticks of a sequence.
  ///
  /// - Note: Real-time safe.
  @inlinable
  public func ticks(ppqn: PPQN) -> Timeline<Tick> {
    rescaled(multiplier: Int64(ppqn.ticks), over: 24)
  }
}
