// SPDX-License-Identifier: Apache-2.0

/// A shape in one ink.
package struct Shape: Hashable, Sendable {
  /// The geometry of a shape, in pixels.
  ///
  /// A stroke extends by half its width on each side of its line.
  package enum Form: Hashable, Sendable {
    /// Filled boxes.
    case boxes([Box])
    /// Lines through points.
    case lines([[Point]], width: Double, isDashed: Bool)
    /// A filled outline.
    case area([Point])
    /// Horizontal strokes of equal thickness.
    ///
    /// With `isCrisp`, adjacent ones touch without a seam.
    case runs([Run], thickness: Double, isCrisp: Bool)
    /// Text; its position is on the baseline.
    case text(Label)
  }

  package let form: Form
  package let ink: Ink
  /// The opacity, 0…1.
  package let opacity: Double
}

/// A position in a picture, in pixels from the upper left corner.
package struct Point: Hashable, Sendable {
  package var x: Double
  package var y: Double

  package init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }
}

/// A horizontal stroke to the right of its position.
package struct Run: Hashable, Sendable {
  package let x: Double
  package let y: Double
  package let length: Double
}

/// A line of text.
package struct Label: Hashable, Sendable {
  /// The end of the text that is at its position.
  package enum Anchor: String, Sendable {
    case start, middle, end
  }

  package let text: String
  package let place: Point
  package let size: Double
  package let anchor: Anchor
  package let isBold: Bool
}
