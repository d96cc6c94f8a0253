// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import LV2Units

/// Moves the controls of a plug-in in a fixed sequence, each time to another value.
struct ControlMoves {
  private let controls: [LV2Port]
  private var count = 0

  /// The positions in the range of a control, in order.
  private static let places: [Float] = [1, 0, 0.5, 0.25, 0.75]

  init(_ controls: [LV2Port]) { self.controls = controls }

  /// The next control and its value, in the unit of the control at 48 000 Hz; nil without controls.
  mutating func next() -> (control: Int, value: Float)? {
    guard !controls.isEmpty else { return nil }
    defer { count += 1 }
    let (index, turn) = (count % controls.count, count / controls.count)
    let control = controls[index]
    if control.isEnumeration, !control.scalePoints.isEmpty {
      // The last point is used first, because controls rarely start there.
      let points = control.scalePoints
      return (index, points[points.count - 1 - turn % points.count].value)
    }
    let range = control.parameter(hertz: 48_000).range
    let place = control.isToggle ? Float(1 - turn % 2) : Self.places[turn % Self.places.count]
    let value = range.lowerBound * (1 - place) + range.upperBound * place
    return (index, control.isInteger ? value.rounded() : value)
  }
}
