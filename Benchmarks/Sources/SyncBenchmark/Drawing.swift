// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Curves over quarter notes, drawn as SVG: the same bytes for the same numbers.
struct Drawing {
  /// A line and its name.
  struct Curve {
    let name: String
    let color: String
    /// Its values, evenly spaced over the width; what is no number is left out.
    let values: [Double]
  }

  let title: String
  /// Quarter notes, from the left to the right.
  let quarters: ClosedRange<Double>
  /// Milliseconds above and below zero.
  let most: Double
  let curves: [Curve]

  private static let (width, height) = (760.0, 300.0)
  private static let (left, top, right, bottom) = (52.0, 34.0, 12.0, 52.0)

  private func x(_ part: Double) -> Double {
    Self.left + part * (Self.width - Self.left - Self.right)
  }

  private func y(_ value: Double) -> Double {
    let part = 0.5 - min(max(value / most, -1), 1) / 2
    return Self.top + part * (Self.height - Self.top - Self.bottom)
  }

  var svg: String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 300" font-family="sans-serif" \
    font-size="12">
    <rect width="760" height="300" fill="#fff"/>
    <text x="52" y="20" font-size="14">\(title)</text>
    \((grid + lines + names).joined(separator: "\n"))
    </svg>

    """
  }

  private var grid: [String] {
    let rows = [-1.0, -0.5, 0, 0.5, 1].flatMap { part in
      let height = digits(y(part * most))
      return [
        "<path d=\"M52 \(height)H748\" stroke=\"#ddd\"/>",
        "<text x=\"46\" y=\"\(height)\" text-anchor=\"end\" dy=\"4\">\(label(part * most))</text>",
      ]
    }
    let columns = [0.0, 0.25, 0.5, 0.75, 1].map { part in
      let quarter = quarters.lowerBound + part * (quarters.upperBound - quarters.lowerBound)
      let place = digits(x(part))
      return "<text x=\"\(place)\" y=\"264\" text-anchor=\"middle\">\(label(quarter))</text>"
    }
    return rows + columns + ["<text x=\"748\" y=\"20\" text-anchor=\"end\">ms</text>"]
  }

  private var lines: [String] {
    curves.map { curve in
      var (path, isDrawing) = ("", false)
      for (index, value) in curve.values.enumerated() {
        guard !value.isNaN else {
          isDrawing = false
          continue
        }
        let part = Double(index) / Double(max(1, curve.values.count - 1))
        path += "\(isDrawing ? "L" : "M")\(digits(x(part))) \(digits(y(value)))"
        isDrawing = true
      }
      return "<path d=\"\(path)\" fill=\"none\" stroke=\"\(curve.color)\" stroke-width=\"1.4\"/>"
    }
  }

  private var names: [String] {
    curves.enumerated().flatMap { index, curve in
      let start = 52 + 180 * index
      return [
        "<path d=\"M\(start) 284h22\" stroke=\"\(curve.color)\" stroke-width=\"3\"/>",
        "<text x=\"\(start + 28)\" y=\"288\">\(curve.name)</text>",
      ]
    }
  }

  private func digits(_ value: Double) -> String { String(format: "%.1f", value) }

  private func label(_ value: Double) -> String { String(format: "%g", value) }
}
