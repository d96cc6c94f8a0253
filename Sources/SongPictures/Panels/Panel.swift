// SPDX-License-Identifier: Apache-2.0

/// One row of a picture: something over time, with its scale in the margin to the left.
protocol Panel {
  /// In pixels; of a panel that takes what room is left, the least.
  var height: Double { get }
  /// Whether it is higher where there is room, and how high it likes to be.
  var preferredHeight: Double { get }
  /// Whether bars and what is plotted have a ground of their own.
  var isPlot: Bool { get }

  /// Draws what lies behind the lines of the bars.
  func drawGround(in box: Box, on picture: inout Picture)

  /// Draws the panel; the box is the part beside the margin.
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
  /// Between the scale and the plot.
  static let gap = 6.0

  /// Writes the name of a panel into the margin, and what it is measured in below it.
  mutating func write(name: String, _ unit: String = "", beside box: Box) {
    write(name, at: Point(Self.edge, box.y + 10), size: 11, isBold: true)
    write(unit, at: Point(Self.edge, box.y + 23), .faint, size: 9.5)
  }

  /// Writes the marks of a scale beside a plot, and draws their lines.
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
