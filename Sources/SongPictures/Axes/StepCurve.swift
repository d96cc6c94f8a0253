// SPDX-License-Identifier: Apache-2.0

/// A curve of values that hold until the next, drawn with at most a few points for each pixel.
struct StepCurve {
  /// The values and their times in seconds, in order.
  let steps: [(seconds: Double, value: Double)]

  /// The value at a time; nil before the first.
  ///
  /// - Complexity: O(log n).
  func value(at seconds: Double) -> Double? {
    var (low, high) = (0, steps.count)
    while low < high {
      let middle = (low + high) / 2
      if steps[middle].seconds <= seconds { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? steps[low - 1].value : nil
  }

  /// The steps within a time axis; the value before it is moved to its beginning.
  func within(_ axis: TimeAxis) -> [(seconds: Double, value: Double)] {
    let first = value(at: axis.start).map { [(seconds: axis.start, value: $0)] } ?? []
    return first + steps.filter { $0.seconds > axis.start && $0.seconds <= axis.end }
  }

  /// The line.
  ///
  /// Steps within a pixel are reduced to the lowest, the highest and the last value.
  func line(_ axis: TimeAxis, in box: Box, range: ClosedRange<Double>) -> [Point] {
    var points: [Point] = []
    var column = -1
    var (lowest, highest, last) = (0.0, 0.0, 0.0)
    func finish() {
      guard column >= 0 else { return }
      let x = axis.left + Double(column)
      if let before = points.last { points.append(Point(x, before.y)) }
      for value in lowest < highest ? [lowest, highest, last] : [last] {
        points.append(Point(x, box.y(of: value, in: range)))
      }
    }
    for step in within(axis) {
      let here = Int(axis.x(step.seconds) - axis.left)
      if here == column {
        (lowest, highest) = (min(lowest, step.value), max(highest, step.value))
      } else {
        finish()
        (column, lowest, highest) = (here, step.value, step.value)
      }
      last = step.value
    }
    finish()
    if let end = points.last { points.append(Point(axis.right, end.y)) }
    return points
  }
}
