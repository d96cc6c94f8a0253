// SPDX-License-Identifier: Apache-2.0

/// The reduced ratio between a tempo map's units and a target unit: target = units · up / down.
@usableFromInline
struct UnitScale: BitwiseCopyable, Sendable {
  @usableFromInline let up: Int64
  @usableFromInline let down: Int64
  @usableFromInline let perUp: Reciprocal
  @usableFromInline let perDown: Reciprocal

  init(unitsPerSecond: Int64, targetPerSecond: Int64) {
    let common = Int64(greatestCommonDivisor(Int128(unitsPerSecond), Int128(targetPerSecond)))
    self.init(unreduced: targetPerSecond / common, over: unitsPerSecond / common)
  }

  /// Creates a scale without reducing the fraction.
  @inlinable
  init(unreduced up: Int64, over down: Int64) {
    self.up = up
    self.down = down
    perUp = Reciprocal(of: up)
    perDown = Reciprocal(of: down)
  }
}
