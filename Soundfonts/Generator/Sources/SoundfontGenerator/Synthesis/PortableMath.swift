// SPDX-License-Identifier: Apache-2.0

/// Elementary functions that give the same bits on every machine.
///
/// Only `+ - * /`, comparison and rounding to integers are used, which IEEE 754 defines exactly; the C
/// library's functions differ in the last bit from one to another.
enum PortableMath {
  static let pi = 3.141592653589793
  static let naturalLogarithmOfTwo = 0.6931471805599453

  /// The sine of an angle in turns (1 is a full circle).
  static func sine(turns: Double) -> Double {
    var r = turns - turns.rounded()
    if r > 0.25 { r = 0.5 - r } else if r < -0.25 { r = -0.5 - r }
    let y = 2 * pi * r
    let square = y * y
    var sum = 1.0
    var denominator = 18.0
    while denominator >= 2 {
      sum = 1 - square * sum / (denominator * (denominator + 1))
      denominator -= 2
    }
    return y * sum
  }

  /// The cosine of an angle in turns.
  static func cosine(turns: Double) -> Double { sine(turns: turns + 0.25) }

  /// Two to the power `x`.
  static func exp2(_ x: Double) -> Double {
    if x < -1000 { return 0 }
    let whole = x.rounded()
    let y = (x - whole) * naturalLogarithmOfTwo
    var sum = 1.0
    var n = 13.0
    while n >= 1 {
      sum = 1 + y * sum / n
      n -= 1
    }
    return Double(sign: .plus, exponent: Int(whole), significand: sum)
  }

  /// The natural exponential.
  static func exp(_ x: Double) -> Double { exp2(x / naturalLogarithmOfTwo) }

  /// The logarithm to base two of a positive number.
  static func log2(_ x: Double) -> Double {
    var exponent = Double(x.exponent)
    var m = x.significand
    if m > 1.4142135623730951 {
      m *= 0.5
      exponent += 1
    }
    let s = (m - 1) / (m + 1)
    let square = s * s
    var sum = 0.0
    var n = 23.0
    while n >= 1 {
      sum = sum * square + 1 / n
      n -= 2
    }
    return exponent + 2 * s * sum / naturalLogarithmOfTwo
  }

  /// A positive base to a power; zero stays zero.
  static func power(_ base: Double, _ exponent: Double) -> Double {
    base <= 0 ? 0 : exp2(log2(base) * exponent)
  }

  /// The amplitude factor of a level in decibels.
  static func gain(decibels: Double) -> Double { exp2(decibels * 0.16609640474436813) }

  /// The level in decibels of an amplitude factor.
  static func decibels(gain: Double) -> Double { log2(gain) / 0.16609640474436813 }

  /// The frequency of a key in hertz; key 69 is 440 Hz.
  static func frequency(key: Double) -> Double { 440 * exp2((key - 69) / 12) }

  /// A smooth saturation with the slope 1 at 0 and the limits -1 and 1.
  static func saturate(_ x: Double) -> Double { x / (1 + x * x).squareRoot() }
}
