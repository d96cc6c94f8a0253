// SPDX-License-Identifier: Apache-2.0

/// Random numbers that are the same on every machine: SplitMix64, and normal deviates by the
/// polar method of Marsaglia.
struct TraceRandom: Sendable {
  private var state: UInt64
  private var spare: Double?

  init(seed: UInt64, tag: UInt64) {
    state = seed &* 0xD134_2543_DE82_EF95 &+ tag &* 0x9E37_79B9_7F4A_7C15 &+ 0x2545_F491_4F6C_DD1D
    _ = next()
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// In 0..<1.
  mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

  mutating func uniform(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * uniform()
  }

  /// In 0..<end.
  mutating func integer(below end: Int) -> Int { Int(next() % UInt64(end)) }

  mutating func normal(_ deviation: Double) -> Double {
    if let spare {
      self.spare = nil
      return spare * deviation
    }
    while true {
      let (x, y) = (uniform(-1, 1), uniform(-1, 1))
      let square = x * x + y * y
      guard square < 1, square > 0 else { continue }
      let factor = (-2 * Self.logarithm(square) / square).squareRoot()
      spare = y * factor
      return x * factor * deviation
    }
  }

  mutating func exponential(_ mean: Double) -> Double {
    -mean * Self.logarithm(max(uniform(), 0x1p-53))
  }

  /// The sine of so many turns, from the four operations alone.
  static func sine(_ turns: Double) -> Double {
    let angle = (turns - turns.rounded()) * 2 * Double.pi
    var (term, sum) = (angle, angle)
    for order in stride(from: 3.0, through: 25, by: 2) {
      term *= -angle * angle / (order * (order - 1))
      sum += term
    }
    return sum
  }

  /// ln x from the four operations alone, so that every machine draws the same numbers.
  private static func logarithm(_ value: Double) -> Double {
    let x = (value.significand - 1.5) / (value.significand + 1.5)
    let square = x * x
    var sum = 0.0
    for term in stride(from: 25.0, through: 1, by: -2) { sum = 1 / term + square * sum }
    return Double(value.exponent) * 0.693_147_180_559_945_3 + 0.405_465_108_108_164_4
      + 2 * x * sum
  }
}

/// Normal deviates that are the same on every machine.
public struct NormalNoise: Sendable {
  private var random: TraceRandom

  /// Creates a series.
  public init(seed: UInt64) {
    random = TraceRandom(seed: seed, tag: 17)
  }

  /// The next number of the series, scaled to a standard deviation.
  public mutating func next(_ deviation: Double) -> Double {
    random.normal(deviation)
  }
}
