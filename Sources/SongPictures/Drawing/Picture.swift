// SPDX-License-Identifier: Apache-2.0

/// A drawing as a value: a list of shapes, later ones above earlier ones.
///
/// `SVGWriter` writes it as text; a renderer for pixels uses `shapes`.
package struct Picture: Hashable, Sendable {
  /// The title, also the description for screen readers.
  package let title: String
  /// The size in pixels.
  package let width: Double
  package let height: Double
  package private(set) var shapes: [Shape] = []

  package init(title: String, width: Double, height: Double) {
    (self.title, self.width, self.height) = (title, width, height)
    fill([Box(x: 0, y: 0, width: width, height: height)], .page)
  }

  package mutating func fill(_ boxes: [Box], _ ink: Ink, opacity: Double = 1) {
    add(.boxes(boxes), ink, opacity, isEmpty: boxes.isEmpty)
  }

  package mutating func fill(area outline: [Point], _ ink: Ink, opacity: Double = 1) {
    add(.area(outline), ink, opacity, isEmpty: outline.count < 3)
  }

  package mutating func stroke(
    _ lines: [[Point]], _ ink: Ink, width: Double = 1, isDashed: Bool = false,
    opacity: Double = 1
  ) {
    add(
      .lines(lines, width: width, isDashed: isDashed), ink, opacity,
      isEmpty: lines.allSatisfy(\.isEmpty))
  }

  package mutating func stroke(
    runs: [Run], _ ink: Ink, thickness: Double, isCrisp: Bool = false, opacity: Double = 1
  ) {
    add(
      .runs(runs, thickness: thickness, isCrisp: isCrisp), ink, opacity, isEmpty: runs.isEmpty)
  }

  /// Writes a line of text, shortened with `…` if it is too wide.
  package mutating func write(
    _ text: String, at place: Point, _ ink: Ink = .text, size: Double = 10,
    anchor: Label.Anchor = .start, isBold: Bool = false, within width: Double = .infinity
  ) {
    let shown = LabelWidth.cut(text, size: size, to: width)
    let label = Label(text: shown, place: place, size: size, anchor: anchor, isBold: isBold)
    add(.text(label), ink, 1, isEmpty: shown.isEmpty)
  }

  private mutating func add(_ form: Shape.Form, _ ink: Ink, _ opacity: Double, isEmpty: Bool) {
    if !isEmpty { shapes.append(Shape(form: form, ink: ink, opacity: opacity)) }
  }
}
