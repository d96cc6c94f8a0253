// SPDX-License-Identifier: Apache-2.0

/// The tempo in beats per minute.
struct TempoPanel: Panel {
  private let curve: StepCurve

  init(_ tempi: [(seconds: Double, value: Double)]) {
    curve = StepCurve(steps: tempi)
  }

  var height: Double { 50 }

  func draw(in box: Box, _ axis: TimeAxis, on picture: inout Picture) {
    picture.write(name: "Tempo", "beats per minute", beside: box)
    let range = Self.range(of: curve.within(axis).map(\.value))
    let marks = AxisSteps.values(in: range, atMost: 4).map { ($0, SVGWriter.number($0)) }
    picture.scale(marks, range, beside: box)
    picture.stroke(
      [curve.line(axis, in: box, range: range)], .mark, width: 1.5)
  }

  /// The range of the values with a margin above and below.
  ///
  /// The margin is a tenth of the range, or of the highest value if that is more.
  static func range(of values: [Double]) -> ClosedRange<Double> {
    let (low, high) = (values.min() ?? 120, values.max() ?? 120)
    let margin = max((high - low) / 10, high / 10)
    return max(low - margin, 0)...(high + margin)
  }
}
