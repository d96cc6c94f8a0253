// SPDX-License-Identifier: Apache-2.0

/// A bell that ends what would go on for ever, with the least of it outside a band.
///
/// - Note: Not real-time safe: it is asked where tables are made.
/// Source: J. F. Kaiser, Nonrecursive digital filter design using the I0-sinh window function (1974).
enum KaiserWindow {
  /// The height at a place.
  ///
  /// - Parameters:
  ///   - part: the place.
  ///   - beta: how narrow the bell is; 8 keeps what is outside the band below −80 dB.
  /// - Returns: 1 in the middle, and 0 outside −1…1.
  static func value(_ part: Double, beta: Double) -> Double {
    abs(part) < 1 ? bessel(beta * (1 - part * part).squareRoot()) / bessel(beta) : 0
  }

  /// The modified Bessel function of the first kind and order 0, by its series.
  private static func bessel(_ argument: Double) -> Double {
    var term = 1.0
    var sum = 1.0
    var index = 1.0
    while term > sum * 1e-18 {
      term *= (argument / (2 * index)) * (argument / (2 * index))
      sum += term
      index += 1
    }
    return sum
  }
}
