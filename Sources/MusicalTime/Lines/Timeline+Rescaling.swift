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
  ) -> Timeline<Other, Time> {
    // A count m is the old count m·b/a, so its instant is S/d + (m·b/a − c)·n/d; with m the
    // floor of c·a/b, everything stays whole over d·a.
    let scaledCount = Int128(countOrigin) * Int128(multiplier)
    let origin = Self.floorDivide(scaledCount, Int128(divisor))
    let distance = (origin * Int128(divisor) - scaledCount) * Int128(numerator)
    return Timeline<Other, Time>(
      countOrigin: Int64(origin),
      scaledOrigin: scaledOrigin * Int128(multiplier) + distance,
      numerator: numerator * divisor, denominator: denominator * multiplier,
      validUntil: validUntil)
  }

  /// The same piece so many nanoseconds later, on another line of time: for `TimeBase` alone.
  @inlinable
  func moved<Other>(byNanoseconds distance: Int64) -> Timeline<Count, Other> {
    Timeline<Count, Other>(
      countOrigin: countOrigin,
      scaledOrigin: scaledOrigin + Int128(distance) * Int128(denominator),
      numerator: numerator, denominator: denominator,
      validUntil: Other(nanoseconds: end).advanced(saturating: end == .max ? 0 : distance))
  }
}

extension Timeline where Count == MIDIClock {
  /// The piece in ticks of a sequence.
  ///
  /// - Note: Real-time safe.
  @inlinable
  public func ticks(ppqn: PPQN) -> Timeline<Tick, Time> {
    rescaled(multiplier: Int64(ppqn.ticks), over: 24)
  }
}
