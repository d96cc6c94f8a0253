// SPDX-License-Identifier: Apache-2.0

extension BinaryFloatingPoint {
  /// The nearest value in a range, or another value in place of one that is not a number.
  func held(in range: ClosedRange<Self>, else other: Self) -> Self {
    isNaN ? other : min(range.upperBound, max(range.lowerBound, self))
  }
}
