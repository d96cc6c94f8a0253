// SPDX-License-Identifier: Apache-2.0
package import MusicalTime

extension Ratio {
  /// The value with a number of decimals, rounded to the nearest, halves away from zero.
  ///
  /// 1/3 with 3 decimals is `0.333`. Floating-point numbers are not used.
  package func decimal(_ places: Int) -> String {
    let power = (0..<places).reduce(UInt128(1)) { value, _ in value * 10 }
    let size = numerator.magnitude
    let divisor = denominator.magnitude
    // The whole part is split off first, so that products fit 128 bits.
    var whole = size / divisor
    var fraction = (size % divisor).multipliedReportingOverflow(by: power)
    if fraction.overflow { return "\(numerator < 0 ? "-" : "")\(whole)" }
    fraction.partialValue += divisor / 2
    let digits = fraction.partialValue / divisor
    whole += digits / power
    let sign = numerator < 0 && (whole > 0 || digits > 0) ? "-" : ""
    let tail = String(digits % power)
    let zeros = String(repeating: "0", count: places - min(places, tail.count))
    return places == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(zeros)\(tail)"
  }
}
