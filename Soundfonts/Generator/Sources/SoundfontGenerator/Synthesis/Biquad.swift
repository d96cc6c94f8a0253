// SPDX-License-Identifier: Apache-2.0

/// A second-order filter.
struct Biquad {
  private var b0 = 1.0
  private var b1 = 0.0
  private var b2 = 0.0
  private var a1 = 0.0
  private var a2 = 0.0
  private var z1 = 0.0
  private var z2 = 0.0

  private init(_ b: (Double, Double, Double), _ a: (Double, Double, Double)) {
    (b0, b1, b2) = (b.0 / a.0, b.1 / a.0, b.2 / a.0)
    (a1, a2) = (a.1 / a.0, a.2 / a.0)
  }

  private static func angles(
    _ frequency: Double, _ q: Double, _ rate: Double
  ) -> (cosine: Double, alpha: Double) {
    let turns = min(frequency / rate, 0.49)
    return (PortableMath.cosine(turns: turns), PortableMath.sine(turns: turns) / (2 * q))
  }

  static func lowPass(_ frequency: Double, q: Double = 0.7071, rate: Double) -> Biquad {
    let (c, alpha) = angles(frequency, q, rate)
    return Biquad(((1 - c) / 2, 1 - c, (1 - c) / 2), (1 + alpha, -2 * c, 1 - alpha))
  }

  static func highPass(_ frequency: Double, q: Double = 0.7071, rate: Double) -> Biquad {
    let (c, alpha) = angles(frequency, q, rate)
    return Biquad(((1 + c) / 2, -1 - c, (1 + c) / 2), (1 + alpha, -2 * c, 1 - alpha))
  }

  /// A band pass with 0 dB at its centre.
  static func bandPass(_ frequency: Double, q: Double, rate: Double) -> Biquad {
    let (c, alpha) = angles(frequency, q, rate)
    return Biquad((alpha, 0, -alpha), (1 + alpha, -2 * c, 1 - alpha))
  }

  static func peak(
    _ frequency: Double, q: Double, decibels: Double, rate: Double
  ) -> Biquad {
    let (c, alpha) = angles(frequency, q, rate)
    let a = PortableMath.gain(decibels: decibels / 2)
    return Biquad(
      (1 + alpha * a, -2 * c, 1 - alpha * a), (1 + alpha / a, -2 * c, 1 - alpha / a))
  }

  static func highShelf(_ frequency: Double, decibels: Double, rate: Double) -> Biquad {
    let (c, alpha) = angles(frequency, 0.7071, rate)
    let a = PortableMath.gain(decibels: decibels / 2)
    let root = 2 * a.squareRoot() * alpha
    return Biquad(
      (
        a * ((a + 1) + (a - 1) * c + root), -2 * a * ((a - 1) + (a + 1) * c),
        a * ((a + 1) + (a - 1) * c - root)
      ),
      ((a + 1) - (a - 1) * c + root, 2 * ((a - 1) - (a + 1) * c), (a + 1) - (a - 1) * c - root))
  }

  mutating func process(_ x: Double) -> Double {
    let y = b0 * x + z1
    z1 = b1 * x - a1 * y + z2
    z2 = b2 * x - a2 * y
    return y
  }

  /// Filters a finished wave in place.
  func apply(to wave: inout [Double]) {
    var filter = self
    for index in wave.indices { wave[index] = filter.process(wave[index]) }
  }

  /// Filters a wave that repeats for ever: two turns settle the filter, the third is kept.
  func applyCircularly(to wave: inout [Double]) {
    var filter = self
    for _ in 0..<2 {
      for value in wave { _ = filter.process(value) }
    }
    for index in wave.indices { wave[index] = filter.process(wave[index]) }
  }
}
