// SPDX-License-Identifier: Apache-2.0

extension Int64 {
  /// The nearest integer, limited to the range of 64 bits; 0 for NaN.
  ///
  /// Lengths and positions in damaged files can exceed this range.
  package init(nearest value: Double) {
    guard !value.isNaN else {
      self = 0
      return
    }
    self = Int64(exactly: value.rounded()) ?? (value < 0 ? .min : .max)
  }
}
