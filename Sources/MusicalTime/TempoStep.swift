// SPDX-License-Identifier: Apache-2.0

/// One step of a tempo map: inside it, time is a straight line over ticks.
@usableFromInline
struct TempoStep: BitwiseCopyable, Sendable {
  /// The step's first tick.
  @usableFromInline let start: Int64
  /// The total at the first tick, in the map's units.
  @usableFromInline let total: Int64
  /// The length of a tick, in the map's units; above zero.
  @usableFromInline let length: Int64

  @inlinable
  init(start: Int64, total: Int64, length: Int64) {
    self.start = start
    self.total = total
    self.length = length
  }

  /// The total at a tick; no product of 64-bit inputs leaves 128 bits.
  @inlinable
  func wideTotal(at tick: Int64) -> Int128 {
    Int128(total) + (Int128(tick) - Int128(start)) * Int128(length)
  }

  /// The time of a tick in the scale's unit.
  @inlinable
  func value(
    at tick: Int64, _ scale: UnitScale, _ rounding: Rounding, unit: @autoclosure () -> String
  ) throws(TimeError) -> Converted<Int64> {
    let (ticks, below) = tick.subtractingReportingOverflow(start)
    let (product, past) = ticks.multipliedReportingOverflow(by: length)
    let (sum, over) = product.addingReportingOverflow(total)
    if below || past || over {
      let wide = wideTotal(at: tick) * Int128(scale.up)
      return try scaleWide(wide, over: scale.down, rounding, unit: unit())
    }
    return try MusicalTime.scale(sum, by: scale.up, over: scale.down, rounding, unit: unit())
  }

  /// The tick at a time in the scale's unit.
  @inlinable
  func tick(
    at value: Int64, _ scale: UnitScale, _ rounding: Rounding
  ) throws(TimeError) -> Converted<Int64> {
    let (scaled, past) = value.multipliedReportingOverflow(by: scale.down)
    let (before, over) = total.multipliedReportingOverflow(by: scale.up)
    let (distance, carry) = scaled.subtractingReportingOverflow(before)
    if past || over || carry { return try wideTick(at: value, scale, rounding) }
    // length < 2³² and up ≤ 4·10⁹: the product fits.
    let divisor = length &* scale.up
    guard let ticks = quotient(distance, by: divisor, rounding) else {
      throw .inexact(unit: "ticks")
    }
    let (tick, end) = ticks.value.addingReportingOverflow(start)
    guard !end else { throw .overflow("ticks") }
    return Converted(tick, remainder: Int128(ticks.remainder), divisor: Int128(divisor))
  }

  @usableFromInline
  func wideTick(
    at value: Int64, _ scale: UnitScale, _ rounding: Rounding
  ) throws(TimeError) -> Converted<Int64> {
    let distance = Int128(value) * Int128(scale.down) - Int128(total) * Int128(scale.up)
    let divisor = Int128(length) * Int128(scale.up)
    guard let ticks = quotient(distance, by: divisor, rounding) else {
      throw .inexact(unit: "ticks")
    }
    guard let tick = Int64(exactly: ticks.value + Int128(start)) else { throw .overflow("ticks") }
    return Converted(tick, remainder: ticks.remainder, divisor: divisor)
  }
}

extension UnitScale {
  /// The map's total at or below a value of the target unit: the key of the inverse search.
  @inlinable
  func totalRoundedDown(of value: Int64) -> Int64 {
    let (product, overflow) = value.multipliedReportingOverflow(by: down)
    if overflow {
      return Int64(clamping: flooredDivision(Int128(value) * Int128(down), by: Int128(up)).quotient)
    }
    return flooredDivision(product, by: up).quotient
  }
}
