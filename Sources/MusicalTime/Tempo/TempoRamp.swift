// SPDX-License-Identifier: Apache-2.0

/// A gradual change of tempo over a number of quarter notes.
///
/// A ramp is a formula, but a `TempoMap` contains only constant tempi.
/// `changes(from:ppqn:stepTicks:unit:)` approximates a ramp by constant tempi, which reach the end
/// at the exact time.
public struct TempoRamp: Hashable, Sendable {
  /// The tempo at the start in quarter notes per minute; above zero.
  public let from: Ratio
  /// The tempo at the end in quarter notes per minute; above zero.
  public let to: Ratio
  /// The length in quarter notes; above zero.
  public let quarters: Ratio
  /// The curve of the tempo.
  public let shape: RampShape

  /// A time or position inside a ramp.
  ///
  /// The value is exact if the formula has a rational result, and otherwise accurate to a few units
  /// in the last place of a `Double`.
  public enum Value: Hashable, Sendable {
    /// The exact value, as a ratio.
    case exact(Ratio)
    /// The nearest floating-point number, except for a few units in the last place.
    case approximate(Double)

    /// The value as a floating-point number.
    public var approximation: Double {
      switch self {
      case .exact(let ratio): ratio.approximation
      case .approximate(let number): number
      }
    }
  }

  /// Creates a ramp.
  ///
  /// - Parameters:
  ///   - from: The tempo at the start in quarter notes per minute.
  ///   - to: The tempo at the end in quarter notes per minute.
  ///   - quarters: The length in quarter notes.
  ///   - shape: The curve of the tempo.
  /// - Throws: `TimeError.badTempo` if a tempo is zero or negative; `TimeError.fieldOutOfRange` if
  ///   the length is zero or negative.
  public init(from: Ratio, to: Ratio, quarters: Ratio, shape: RampShape) throws(TimeError) {
    for tempo in [from, to] {
      guard tempo > 0 else { throw .badTempo("\(tempo) bpm") }
    }
    guard quarters > 0 else {
      throw .fieldOutOfRange(field: "ramp length", value: "\(quarters)", range: "above 0")
    }
    self.from = from
    self.to = to
    self.quarters = quarters
    self.shape = shape
  }

  /// Returns the duration of the ramp in seconds.
  ///
  /// - Throws: `TimeError.overflow` if a fraction does not fit in 128 bits.
  public func duration() throws(TimeError) -> Value {
    try seconds(atQuarters: quarters)
  }

  /// Returns the time at a position, in seconds from the start of the ramp.
  ///
  /// - Parameter position: Quarter notes from the start, 0…`quarters`.
  /// - Returns: The time.
  /// - Throws: `TimeError.fieldOutOfRange` if the position is outside the ramp;
  ///   `TimeError.overflow` if a fraction does not fit in 128 bits.
  public func seconds(atQuarters position: Ratio) throws(TimeError) -> Value {
    guard position >= 0, position <= quarters else { throw outside("quarter", position) }
    let atStart = try position * 60 / from
    if position == 0 || from == to { return .exact(atStart) }
    let part = try position / quarters
    switch shape {
    case .linearOverTime: return try linearTime(position, part)
    case .linearOverBeats:
      // t = 60x/b₀ · ln(1 + u)/u, u = (b₁ − b₀)/b₀ · x/L.
      let growth = try (to / from - 1) * part
      return .approximate(
        atStart.approximation * logarithmQuotient(growth.approximation))
    case .geometricOverBeats:
      // t = 60x/b₀ · (1 − e⁻ʷ)/w, w = ln(b₁/b₀) · x/L.
      let exponent = try logarithmOfGrowth() * part.approximation
      return .approximate(atStart.approximation * exponentialQuotient(-exponent))
    }
  }

  /// Returns the position at a time, in quarter notes from the start of the ramp.
  ///
  /// - Parameter time: Seconds from the start, 0…`duration()`.
  /// - Returns: The position.
  /// - Throws: `TimeError.fieldOutOfRange` if the time is outside the ramp; `TimeError.overflow` if
  ///   a fraction does not fit in 128 bits.
  public func quarters(atSeconds time: Ratio) throws(TimeError) -> Value {
    guard time >= 0, try isInside(time) else { throw outside("second", time) }
    let atStart = try time * from * Ratio(1, over: 60)
    if time == 0 || from == to { return .exact(atStart) }
    switch shape {
    case .linearOverTime:
      return try linearQuarters(time, atStart)
    case .linearOverBeats:
      // x = b₀·t/60 · (eᵛ − 1)/v, v = (b₁ − b₀)/L · t/60.
      let exponent = try (to - from) / quarters * time * Ratio(1, over: 60)
      return .approximate(
        atStart.approximation * exponentialQuotient(exponent.approximation))
    case .geometricOverBeats:
      // x = b₀·t/60 · −ln(1 − s)/s, s = ln(b₁/b₀) · b₀·t/60L.
      let growth = try -logarithmOfGrowth() * (atStart / quarters).approximation
      return .approximate(atStart.approximation * logarithmQuotient(growth))
    }
  }
}

extension TempoRamp {
  /// t = 2x / (β + √(β² + 4αx)); exact if the root is rational.
  private func linearTime(_ position: Ratio, _ part: Ratio) throws(TimeError) -> Value {
    // With b₀ taken out of the root: √(1 + ((b₁/b₀)² − 1)·x/L).
    let ratio = try to / from
    let square = try (ratio * ratio - 1) * part + 1
    let twice = try position * 120 / from
    if let root = square.squareRoot { return .exact(try twice / (root + 1)) }
    return .approximate(twice.approximation / (1 + square.approximation.squareRoot()))
  }

  /// x = (b₀·t + (b₁ − b₀)·t²/2T) / 60, T = 120·L / (b₀ + b₁): exact if it fits in 128 bits.
  private func linearQuarters(_ time: Ratio, _ atStart: Ratio) throws(TimeError) -> Value {
    let slope = try (to - from) * (to + from) / (quarters * 14400)
    do {
      return .exact(try atStart + slope * time * time)
    } catch {
      let seconds = time.approximation
      return .approximate(atStart.approximation + slope.approximation * seconds * seconds)
    }
  }

  /// ln(b₁/b₀), without cancellation if the tempi are nearly equal.
  private func logarithmOfGrowth() throws(TimeError) -> Double {
    let growth = try (to / from - 1).approximation
    return growth * logarithmQuotient(growth)
  }

  private func isInside(_ time: Ratio) throws(TimeError) -> Bool {
    switch try duration() {
    case .exact(let end): time <= end
    // A caller may pass the approximate end, which can be two floating-point steps too late.
    case .approximate(let end): time.approximation <= end.nextUp.nextUp
    }
  }

  private func outside(_ unit: String, _ value: Ratio) -> TimeError {
    .fieldOutOfRange(
      field: "\(unit) of a ramp", value: "\(value)", range: "within its \(quarters) quarter notes")
  }
}
