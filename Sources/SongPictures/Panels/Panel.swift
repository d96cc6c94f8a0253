// SPDX-License-Identifier: Apache-2.0

/// A row of a picture: values over time, with their scale in the left margin.
protocol Panel {
  /// The height in pixels; for a panel of variable height the minimum.
  var height: Double { get }
  /// The preferred height; it differs from `height` if the panel can be higher.
  var preferredHeight: Double { get }
  /// True if the panel has a background with bar lines.
  var isPlot: Bool { get }

  /// Draws the part behind the bar lines.
  func drawGround(in box: Box, on picture: inout Picture)

  /// Draws the panel.
  ///
  /// The box is the part to the right of the margin.
  func draw(in box: Box, _ axis: TimeAxis, on picture: inout Picture)
}

extension Panel {
  var preferredHeight: Double { height }
  var isPlot: Bool { true }

  func drawGround(in box: Box, on picture: inout Picture) {}
}

extension Picture {
  /// The outer margin.
  static let edge = 12.0
  /// The distance between the scale and the plot.
  static let gap = 6.0

  /// Writes the name of a panel into the margin, and its unit below.
  mutating func write(name: String, _ unit: String = "", beside box: Box) {
    write(name, at: Point(Self.edge, box.y + 10), size: 11, isBold: true)
    write(unit, at: Point(Self.edge, box.y + 23), .faint, size: 9.5)
  }

  /// Writes the marks of a scale to the left of a plot, and draws their lines.
  mutating func scale(
    _ marks: [(value: Double, text: String)], _ range: ClosedRange<Double>, beside box: Box
  ) {
    for mark in marks {
      let y = box.y(of: mark.value, in: range)
      stroke([[Point(box.x, y), Point(box.right, y)]], .grid)
      let middle = min(max(y + 3.5, box.y + 7), box.bottom)
      write(mark.text, at: Point(box.x - Self.gap, middle), .faint, size: 9.5, anchor: .end)
    }
  }
}
