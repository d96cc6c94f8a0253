// SPDX-License-Identifier: Apache-2.0

extension Timeline {
  /// Converts the timeline exactly to another unit of counts, so that `multiplier` new counts equal
  /// `divisor` old counts.
  ///
  /// For example, the ratio from MIDI clocks to ticks is PPQN/24, which at 480 PPQN is 20 ticks per
  /// clock.
  ///
  /// - Parameters:
  ///   - count: The type of the new counts.
  ///   - multiplier: The number of new counts that equals `divisor` old ones; above zero.
  ///   - divisor: The number of old counts; above zero.
  /// - Returns: The timeline, without any rounding.
  /// - Precondition: `numerator · divisor` and `denominator · multiplier` fit in 64 bits.
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

  /// The same line a number of nanoseconds later, in another type of time; only for `TimeBase`.
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
  /// Converts a timeline of MIDI clocks to a timeline of ticks.
  ///
  /// - Note: Real-time safe.
  @inlinable
  public func ticks(ppqn: PPQN) -> Timeline<Tick, Time> {
    rescaled(multiplier: Int64(ppqn.ticks), over: 24)
  }
}
