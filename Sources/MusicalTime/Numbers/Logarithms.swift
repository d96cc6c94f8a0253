// SPDX-License-Identifier: Apache-2.0

// The C library's logarithms differ between platforms in the last place. These functions use only
// the four operations that IEEE 754 defines exactly, so a tempo ramp has the same bits everywhere.
// Each result is a quotient that stays accurate if the tempi of a ramp are nearly equal.

/// ln(1 + x) / x; 1 at zero.
///
/// - Parameter value: Above -1.
/// - Returns: The quotient, accurate to a few units in the last place.
func logarithmQuotient(_ value: Double) -> Double {
  if value == 0 { return 1 }
  if value > -0.25 && value < 0.5 {
    // ln(1 + x) = 2·atanh(x / (2 + x)), and |x / (2 + x)| ≤ 1/5.
    let argument = value / (2 + value)
    return 2 * inverseTangentQuotient(argument) / (2 + value)
  }
  // 1 + x may round to zero for x just above -1.
  let whole = max(1 + value, .leastNormalMagnitude)
  let exponent = whole.significand > 1.5 ? whole.exponent + 1 : whole.exponent
  let reduced = whole * Double(sign: .plus, exponent: -exponent, significand: 1)
  let argument = (reduced - 1) / (reduced + 1)
  let rest = 2 * argument * inverseTangentQuotient(argument)
  return (Double(exponent) * naturalLogarithmOfTwo + rest) / value
}

/// (eˣ − 1) / x; 1 at zero.
func exponentialQuotient(_ value: Double) -> Double {
  if value == 0 { return 1 }
  let exponent = (value / naturalLogarithmOfTwo).rounded()
  if exponent == 0 { return exponentialSeries(value) }
  let rest = value - exponent * naturalLogarithmOfTwo
  let power = Double(sign: .plus, exponent: Int(exponent), significand: 1)
  return (power * (1 + rest * exponentialSeries(rest)) - 1) / value
}

/// ln 2.
private let naturalLogarithmOfTwo = 0.693_147_180_559_945_3

/// The inverse hyperbolic tangent of a small number, over the number: Σ x²ᵏ / (2k + 1).
private func inverseTangentQuotient(_ value: Double) -> Double {
  let square = value * value
  // |x| ≤ 1/5: the 13th term is below 2⁻⁵⁸ of the first.
  var sum = 0.0
  for term in stride(from: 25.0, through: 1, by: -2) { sum = 1 / term + square * sum }
  return sum
}

/// (eˣ − 1) / x for |x| ≤ ln 2 / 2: Σ xᵏ / (k + 1)!.
private func exponentialSeries(_ value: Double) -> Double {
  var sum = 1.0
  for term in stride(from: 17.0, through: 2, by: -1) { sum = 1 + value / term * sum }
  return sum
}

extension Ratio {
  /// The square root if it is rational, otherwise nil.
  var squareRoot: Ratio? {
    guard let above = numerator.wholeSquareRoot, let below = denominator.wholeSquareRoot else {
      return nil
    }
    return Ratio(lowestTerms: above, below)
  }
}

extension Int128 {
  /// The square root if it is an integer, otherwise nil.
  fileprivate var wholeSquareRoot: Int128? {
    guard self >= 0 else { return nil }
    var root: Int128 = 0
    var bit: Int128 = 1 << 63
    while bit > 0 {
      let candidate = root | bit
      let (square, overflow) = candidate.multipliedReportingOverflow(by: candidate)
      if !overflow && square <= self { root = candidate }
      bit >>= 1
    }
    return root * root == self ? root : nil
  }
}
