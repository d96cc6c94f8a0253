// SPDX-License-Identifier: Apache-2.0

/// A value that holds until the next, drawn with no more points than a few for each pixel.
struct StepCurve {
  /// Seconds and values, in order of time.
  let steps: [(seconds: Double, value: Double)]

  /// The value in force at a time; nil before the first.
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

  /// The steps in force within a part of time: the one before it first, moved to its beginning.
  func within(_ axis: TimeAxis) -> [(seconds: Double, value: Double)] {
    let first = value(at: axis.start).map { [(seconds: axis.start, value: $0)] } ?? []
    return first + steps.filter { $0.seconds > axis.start && $0.seconds <= axis.end }
  }

  /// The line; of the steps within a pixel the lowest, the highest and the last.
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
