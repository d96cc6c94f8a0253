// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A gain as the user types it: decibels (`-6dB`, `-6`) or a factor (`50%`).
package struct Gain {
  /// The linear factor, 0…100.
  package let factor: Float

  /// Creates a gain from a linear factor, 0…100.
  package init(factor: Float) {
    self.factor = factor
  }

  /// The gain in decibels; −∞ for a factor of 0.
  package var decibels: Double { 20 * log10(Double(factor)) }

  /// Creates a gain from decibels.
  package init(decibels: Double) {
    factor = Float(pow(10, decibels / 20))
  }

  /// The unit of a number that is written without one.
  package enum BareNumber {
    case decibels, factor
  }

  /// Reads a gain.
  ///
  /// - Parameters:
  ///   - text: The text, such as `-6dB` or `50%`.
  ///   - bareNumber: The unit of a number without a unit.
  /// - Throws: `ControlError.Kind.usage` if the text is not a gain from 0 to 40 dB.
  package init(parsing text: String, bareNumber: BareNumber = .decibels) throws(ControlError) {
    guard let factor = Self.factor(text.lowercased(), bareNumber), !factor.isNaN else {
      throw ControlError(
        .usage, "gain '\(text)': not decibels or a factor (try -6dB or 50%)")
    }
    guard (0...100).contains(factor) else {
      throw ControlError(.usage, "gain '\(text)': must be at most 40dB, or 0%…10000%")
    }
    self.factor = Float(factor)
  }

  private static func factor(_ text: String, _ bareNumber: BareNumber) -> Double? {
    if text.hasSuffix("db") { return Double(text.dropLast(2)).map { pow(10, $0 / 20) } }
    if text.hasSuffix("%") { return Double(text.dropLast()).map { $0 / 100 } }
    let number = Double(text)
    return bareNumber == .factor ? number : number.map { pow(10, $0 / 20) }
  }
}
