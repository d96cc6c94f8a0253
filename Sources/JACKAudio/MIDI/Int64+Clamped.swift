// SPDX-License-Identifier: Apache-2.0

extension Int64 {
  /// The sum, or the end of 64 bits past which it lies.
  @_noAllocation @_noLocks
  func addingClamped(_ other: Int64) -> Int64 {
    let (sum, isPast) = addingReportingOverflow(other)
    return isPast ? (other < 0 ? .min : .max) : sum
  }
}
