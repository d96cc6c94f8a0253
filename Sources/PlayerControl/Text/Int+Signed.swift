// SPDX-License-Identifier: Apache-2.0

extension Int {
  /// The number with its sign: `+2`, `−3`, `0`.
  package var signed: String { self > 0 ? "+\(self)" : self < 0 ? "−\(magnitude)" : "0" }
}
