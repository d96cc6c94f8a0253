// SPDX-License-Identifier: Apache-2.0

/// A rectangle in a picture, in pixels.
package struct Box: Hashable, Sendable {
  package var x: Double
  package var y: Double
  package var width: Double
  package var height: Double

  package init(x: Double, y: Double, width: Double, height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  package var right: Double { x + width }
  package var bottom: Double { y + height }

  /// The vertical position of a value in a range, with the lowest value at the bottom.
  func y(of value: Double, in range: ClosedRange<Double>) -> Double {
    let part = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
    return bottom - min(max(part, 0), 1) * height
  }
}
