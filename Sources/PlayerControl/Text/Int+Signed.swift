// SPDX-License-Identifier: Apache-2.0

extension Int {
  /// With its sign: `+2`, `−3`, `0`.
  package var signed: String { self > 0 ? "+\(self)" : self < 0 ? "−\(magnitude)" : "0" }
}
