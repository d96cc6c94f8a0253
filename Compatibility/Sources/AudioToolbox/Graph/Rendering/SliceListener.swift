// SPDX-License-Identifier: Apache-2.0

/// Who sends the events of each slice before it is made.
protocol SliceListener: AnyObject, Sendable {
  /// A slice of so many frames is made next.
  func prepare(_ frames: Int)
}
