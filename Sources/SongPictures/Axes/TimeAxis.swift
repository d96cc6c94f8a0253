// SPDX-License-Identifier: Apache-2.0

/// Where times lie across a picture.
package struct TimeAxis: Hashable, Sendable {
  /// Seconds, the end after the beginning.
  package let start: Double
  package let end: Double
  /// Pixels.
  package let left: Double
  package let width: Double

  /// Lays out a part of time; one without length is taken for a second.
  package init(_ start: Double, _ end: Double, left: Double, width: Double) {
    self.start = start
    self.end = end > start ? end : start + 1
    self.left = left
    self.width = width
  }

  package var right: Double { left + width }

  /// Where a time lies; what is outside lies at the edge.
  package func x(_ seconds: Double) -> Double {
    left + min(max((seconds - start) / (end - start), 0), 1) * width
  }

  /// The part of the width at which a time lies, 0…1 within.
  func part(_ seconds: Double) -> Double { (seconds - start) / (end - start) }

  /// The times that are written along it, with some room for each.
  package func marks() -> [(seconds: Double, text: String)] {
    let step = AxisSteps.seconds(for: end - start, atMost: max(Int(width / 62), 1))
    return AxisSteps.multiples(of: step, in: start...end).map {
      ($0, AxisSteps.clock($0, step: step))
    }
  }
}
