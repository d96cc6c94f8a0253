// SPDX-License-Identifier: Apache-2.0

/// Something drawn in one ink.
package struct Shape: Hashable, Sendable {
  /// What is drawn; lengths are pixels, and a stroke lies half on each side of its line.
  package enum Form: Hashable, Sendable {
    /// Filled boxes.
    case boxes([Box])
    /// Lines through points.
    case lines([[Point]], width: Double, isDashed: Bool)
    /// A filled outline.
    case area([Point])
    /// Level strokes, each as thick; `isCrisp` where neighbours are to touch without a seam.
    case runs([Run], thickness: Double, isCrisp: Bool)
    /// Text, whose place is on its base line.
    case text(Label)
  }

  package let form: Form
  package let ink: Ink
  /// 0…1.
  package let opacity: Double
}

/// A place on a picture, in pixels from its upper left corner.
package struct Point: Hashable, Sendable {
  package var x: Double
  package var y: Double

  package init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }
}

/// A level stroke to the right of its place.
package struct Run: Hashable, Sendable {
  package let x: Double
  package let y: Double
  package let length: Double
}

/// A line of text.
package struct Label: Hashable, Sendable {
  /// Which end of the text its place is.
  package enum Anchor: String, Sendable {
    case start, middle, end
  }

  package let text: String
  package let place: Point
  package let size: Double
  package let anchor: Anchor
  package let isBold: Bool
}
