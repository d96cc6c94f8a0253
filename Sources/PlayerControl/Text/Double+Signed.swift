// SPDX-License-Identifier: Apache-2.0

extension Double {
  /// The number with its sign, and with one decimal if it is not whole: `+2`, `−1.5`, `0`.
  package var signed: String {
    let text = magnitude.decimal(magnitude == magnitude.rounded() ? 0 : 1)
    return self > 0 ? "+\(text)" : self < 0 ? "−\(text)" : "0"
  }
}
