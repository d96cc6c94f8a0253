// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A gain as a person types it: a factor (`0.5`) or decibels (`-6dB`).
package struct Gain {
  /// The linear factor, 0…100.
  package let factor: Float

  package init(factor: Float) {
    self.factor = factor
  }

  /// What it adds, in decibels; −∞ for a factor of 0.
  package var decibels: Double { 20 * log10(Double(factor)) }

  package init(decibels: Double) {
    factor = Float(pow(10, decibels / 20))
  }

  package init(parsing text: String) throws {
    let lowered = text.lowercased()
    let isDecibels = lowered.hasSuffix("db")
    let number = isDecibels ? String(lowered.dropLast(2)) : lowered
    guard let value = Double(number), value.isFinite else {
      throw ControlError(
        .usage, "gain '\(text)': write a factor such as 0.5, or decibels such as -6dB")
    }
    let factor = isDecibels ? pow(10, value / 20) : value
    guard (0...100).contains(factor) else {
      throw ControlError(.usage, "gain '\(text)': a factor of 0…100, or up to 40dB")
    }
    self.factor = Float(factor)
  }
}
