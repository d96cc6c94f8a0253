// SPDX-License-Identifier: Apache-2.0

/// An object that sends the events of each slice before the slice is rendered.
package protocol SliceListener: AnyObject, Sendable {
  /// Sends the events of the next slice, which has this number of frames.
  func prepare(_ frames: Int)
}
