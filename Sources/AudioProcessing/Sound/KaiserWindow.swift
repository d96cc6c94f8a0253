// SPDX-License-Identifier: Apache-2.0

/// A window function that truncates an infinite filter with little energy outside its band.
///
/// - Note: Not real-time safe: it is used to compute tables.
/// Source: J. F. Kaiser, Nonrecursive digital filter design using the I0-sinh window function
/// (1974).
enum KaiserWindow {
  /// Computes the window at a position.
  ///
  /// - Parameters:
  ///   - part: the position; the window covers −1…1.
  ///   - beta: the shape; 8 keeps the stop band below −80 dB.
  /// - Returns: 1 in the centre, 0 outside −1…1.
  static func value(_ part: Double, beta: Double) -> Double {
    abs(part) < 1 ? bessel(beta * (1 - part * part).squareRoot()) / bessel(beta) : 0
  }

  /// The modified Bessel function of the first kind and order 0, as a series.
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
