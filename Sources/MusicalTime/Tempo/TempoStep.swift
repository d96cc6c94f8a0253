// SPDX-License-Identifier: Apache-2.0

/// A step of a tempo map, in which time is a linear function of ticks.
@usableFromInline
struct TempoStep: BitwiseCopyable, Sendable {
  /// The step's first tick.
  @usableFromInline let start: Int64
  /// The total at the first tick, in the map's units.
  @usableFromInline let total: Int64
  /// The length of a tick, in the map's units; above zero.
  @usableFromInline let length: Int64
  /// The reciprocal of a tick's length, scaled for conversions of nanoseconds.
  @usableFromInline let inverse: UInt64

  init(start: Int64, total: Int64, length: Int64, _ scale: UnitScale) {
    self.start = start
    self.total = total
    self.length = length
    inverse = Reciprocal(of: length * scale.up).inverse
  }

  /// The total at a tick; the product of 64-bit inputs always fits in 128 bits.
  @inlinable
  func wideTotal(at tick: Int64) -> Int128 {
    Int128(total) + (Int128(tick) - Int128(start)) * Int128(length)
  }

  /// The total at a tick times a factor, or nil if it does not fit in 64 bits.
  @inlinable
  @inline(__always)
  func product(at tick: Int64, by factor: Int64) -> Int64? {
    let (ticks, below) = tick.subtractingReportingOverflow(start)
    let (time, past) = ticks.multipliedReportingOverflow(by: length)
    let (sum, over) = time.addingReportingOverflow(total)
    let (product, beyond) = sum.multipliedReportingOverflow(by: factor)
    return below || past || over || beyond ? nil : product
  }

  /// The distance from the step's first tick to a time, in the common unit of `scale`, or nil if it
  /// does not fit in 64 bits.
  @inlinable
  @inline(__always)
  func distance(to value: Int64, _ scale: UnitScale) -> Int64? {
    let (scaled, past) = value.multipliedReportingOverflow(by: scale.down)
    let (before, over) = total.multipliedReportingOverflow(by: scale.up)
    let (distance, carry) = scaled.subtractingReportingOverflow(before)
    return past || over || carry ? nil : distance
  }
}

extension TempoStep {
  /// The time of a tick in nanoseconds.
  @inlinable
  @inline(__always)
  func nanoseconds(
    at tick: Int64, _ scale: UnitScale, _ rounding: Rounding
  ) throws(TimeError) -> Converted<Int64> {
    guard let product = product(at: tick, by: scale.up) else {
      return try wideValue(at: tick, scale.up, scale.down, rounding, unit: "nanoseconds")
    }
    guard let time = scale.perDown.quotient(of: product, rounding) else {
      throw .inexact(unit: "nanoseconds")
    }
    return Converted(
      time.value, remainder: Int128(time.remainder), divisor: Int128(scale.down))
  }

  /// The tick at a time in nanoseconds.
  @inlinable
  @inline(__always)
  func tick(
    atNanoseconds value: Int64, _ scale: UnitScale, _ rounding: Rounding
  ) throws(TimeError) -> Converted<Int64> {
    guard let distance = distance(to: value, scale) else {
      return try wideTick(at: value, scale.up, scale.down, rounding)
    }
    // length < 2³² and up ≤ 10⁹: the product fits.
    let reciprocal = Reciprocal(length &* scale.up, inverse: inverse)
    guard let ticks = reciprocal.quotient(of: distance, rounding) else {
      throw .inexact(unit: "ticks")
    }
    let (tick, end) = ticks.value.addingReportingOverflow(start)
    guard !end else { throw .overflow("ticks") }
    return Converted(
      tick, remainder: Int128(ticks.remainder), divisor: Int128(reciprocal.divisor))
  }

  /// The time of a tick in a unit for which units = map units · `up` / `down`.
  @inlinable
  @inline(__always)
  func value(
    at tick: Int64, _ up: Int64, _ down: Int64, _ rounding: Rounding,
    unit: @autoclosure () -> String
  ) throws(TimeError) -> Converted<Int64> {
    guard let product = product(at: tick, by: up) else {
      return try wideValue(at: tick, up, down, rounding, unit: unit())
    }
    guard let value = quotient(product, by: down, rounding) else {
      throw .inexact(unit: unit())
    }
    return Converted(value.value, remainder: Int128(value.remainder), divisor: Int128(down))
  }

  /// The same value for a product that does not fit in 64 bits.
  @usableFromInline
  func wideValue(
    at tick: Int64, _ up: Int64, _ down: Int64, _ rounding: Rounding,
    unit: @autoclosure () -> String
  ) throws(TimeError) -> Converted<Int64> {
    try scaleWide(wideTotal(at: tick) * Int128(up), over: down, rounding, unit: unit())
  }

  /// The tick at a time in a unit for which units = map units · `up` / `down`.
  @usableFromInline
  func wideTick(
    at value: Int64, _ up: Int64, _ down: Int64, _ rounding: Rounding
  ) throws(TimeError) -> Converted<Int64> {
    let distance = Int128(value) * Int128(down) - Int128(total) * Int128(up)
    let divisor = Int128(length) * Int128(up)
    guard let ticks = quotient(distance, by: divisor, rounding) else {
      throw .inexact(unit: "ticks")
    }
    guard let tick = Int64(exactly: ticks.value + Int128(start)) else { throw .overflow("ticks") }
    return Converted(tick, remainder: ticks.remainder, divisor: divisor)
  }
}

extension UnitScale {
  /// The map's total at or below a value in the target unit, the key for a search by time.
  @inlinable
  func totalRoundedDown(of value: Int64) -> Int64 {
    let (product, overflow) = value.multipliedReportingOverflow(by: down)
    if overflow {
      return Int64(clamping: flooredDivision(Int128(value) * Int128(down), by: Int128(up)).quotient)
    }
    return perUp.flooredDivision(of: product).quotient
  }
}
