// SPDX-License-Identifier: Apache-2.0

extension Int {
  /// The number with a noun, in the plural except for 1.
  package func counted(_ noun: String) -> String {
    self == 1 ? "1 \(noun)" : "\(self) \(noun)s"
  }
}
