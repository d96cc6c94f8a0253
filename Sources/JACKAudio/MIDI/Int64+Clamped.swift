// SPDX-License-Identifier: Apache-2.0

extension Int64 {
  /// The sum, limited to the range of 64 bits.
  @_noAllocation @_noLocks
  func addingClamped(_ other: Int64) -> Int64 {
    let (sum, isPast) = addingReportingOverflow(other)
    return isPast ? (other < 0 ? .min : .max) : sum
  }
}
