// SPDX-License-Identifier: Apache-2.0

/// The reduced ratio between a tempo map's units and a target unit: target = units · up / down.
@usableFromInline
struct UnitScale: Hashable, BitwiseCopyable, Sendable {
  @usableFromInline let up: Int64
  @usableFromInline let down: Int64

  @usableFromInline
  init(unitsPerSecond: Int64, targetPerSecond: Int64) {
    let common = Int64(greatestCommonDivisor(Int128(unitsPerSecond), Int128(targetPerSecond)))
    up = targetPerSecond / common
    down = unitsPerSecond / common
  }

  /// A ratio left unreduced, for a target whose rate is only known at the call.
  @inlinable
  init(unreduced up: Int64, over down: Int64) {
    self.up = up
    self.down = down
  }
}
