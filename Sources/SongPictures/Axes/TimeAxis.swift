// SPDX-License-Identifier: Apache-2.0

/// A horizontal axis of time.
package struct TimeAxis: Hashable, Sendable {
  /// The range in seconds; the end is after the start.
  package let start: Double
  package let end: Double
  /// The position and width in pixels.
  package let left: Double
  package let width: Double

  /// Creates an axis.
  ///
  /// A range without length becomes one second.
  package init(_ start: Double, _ end: Double, left: Double, width: Double) {
    self.start = start
    self.end = end > start ? end : start + 1
    self.left = left
    self.width = width
  }

  package var right: Double { left + width }

  /// The horizontal position of a time.
  ///
  /// Times outside the range are at the edge.
  package func x(_ seconds: Double) -> Double {
    left + min(max((seconds - start) / (end - start), 0), 1) * width
  }

  /// The position of a time as a fraction of the width, 0…1 inside.
  func part(_ seconds: Double) -> Double { (seconds - start) / (end - start) }

  /// The times that are labelled, with enough room for each label.
  package func marks() -> [(seconds: Double, text: String)] {
    let step = AxisSteps.seconds(for: end - start, atMost: max(Int(width / 62), 1))
    return AxisSteps.multiples(of: step, in: start...end).map {
      ($0, AxisSteps.clock($0, step: step))
    }
  }
}
