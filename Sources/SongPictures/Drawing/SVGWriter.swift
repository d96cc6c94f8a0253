// SPDX-License-Identifier: Apache-2.0

/// Writes a picture as Scalable Vector Graphics.
///
/// The same picture gives the same text.
///
/// Source: SVG 1.1 (Second Edition); only features that every viewer supports are used.
package struct SVGWriter {
  private let theme: PictureTheme
  private var out: [UInt8] = []

  private init(_ theme: PictureTheme) {
    self.theme = theme
  }

  /// A picture as a complete document in UTF-8.
  ///
  /// - Complexity: O(n) in the points of its shapes.
  package static func document(_ picture: Picture, theme: PictureTheme) -> [UInt8] {
    Array(#"<?xml version="1.0" encoding="UTF-8"?>"#.utf8) + [0x0A]
      + element(picture, theme: theme)
  }

  /// A picture as an element of an HTML page.
  package static func element(_ picture: Picture, theme: PictureTheme) -> [UInt8] {
    var writer = SVGWriter(theme)
    writer.write(picture)
    return writer.out
  }

  private mutating func write(_ picture: Picture) {
    let (width, height) = (Self.number(picture.width), Self.number(picture.height))
    let title = MarkupText.escaped(picture.title)
    write(
      """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" role="img" aria-label="\(title)" \
      font-family="system-ui,'Segoe UI',Roboto,'DejaVu Sans',sans-serif" fill="none">
      <title>\(title)</title>
      <style>\(styles(Set(picture.shapes.map(\.ink))))</style>

      """)
    for shape in picture.shapes { write(shape) }
    write("</svg>\n")
  }

  /// The colours of inks: for one appearance, or for both if the theme is `auto`.
  private func styles(_ inks: Set<Ink>) -> String {
    let sorted = inks.sorted { $0.name < $1.name }
    func rules(_ appearance: Appearance) -> String {
      sorted.map { ".\($0.name){color:\(Self.hex(appearance.color(of: $0)))}" }.joined()
    }
    guard theme == .auto else { return rules(theme.fixed) }
    return rules(.light) + "@media (prefers-color-scheme:dark){\(rules(.dark))}"
  }

  private mutating func write(_ shape: Shape) {
    let opacity = shape.opacity < 1 ? " opacity=\"\(Self.number(shape.opacity, 100))\"" : ""
    let ink = "class=\"\(shape.ink.name)\"\(opacity)"
    switch shape.form {
    case .boxes(let boxes):
      write("<path \(ink) fill=\"currentColor\" d=\"")
      for box in boxes {
        write(
          "M\(Self.number(box.x)) \(Self.number(box.y))h\(Self.number(box.width))"
            + "v\(Self.number(box.height))h\(Self.number(-box.width))z")
      }
      write("\"/>\n")
    case .area(let outline):
      write("<path \(ink) fill=\"currentColor\" d=\"")
      writeLine(outline)
      write("z\"/>\n")
    case .lines(let lines, let width, let isDashed):
      let dashes = isDashed ? " stroke-dasharray=\"4 3\"" : ""
      write(
        "<path \(ink) stroke=\"currentColor\" stroke-width=\"\(Self.number(width))\"\(dashes) "
          + "stroke-linejoin=\"round\" d=\"")
      lines.forEach { writeLine($0) }
      write("\"/>\n")
    case .runs(let runs, let thickness, let isCrisp):
      let crisp = isCrisp ? " shape-rendering=\"crispEdges\"" : ""
      write(
        "<path \(ink) stroke=\"currentColor\" stroke-width=\"\(Self.number(thickness))\"\(crisp) "
          + "d=\"")
      writeRuns(runs)
      write("\"/>\n")
    case .text(let label): write(label, ink)
    }
  }

  private mutating func write(_ label: Label, _ ink: String) {
    let anchor = label.anchor == .start ? "" : " text-anchor=\"\(label.anchor.rawValue)\""
    let weight = label.isBold ? " font-weight=\"bold\"" : ""
    write(
      "<text \(ink) fill=\"currentColor\" x=\"\(Self.number(label.place.x))\" "
        + "y=\"\(Self.number(label.place.y))\" font-size=\"\(Self.number(label.size))\""
        + "\(anchor)\(weight)>\(MarkupText.escaped(label.text))</text>\n")
  }

  /// Writes strokes.
  ///
  /// In a row, each is relative to the previous one, which is shorter text.
  private mutating func writeRuns(_ runs: [Run]) {
    var before: Run?
    for run in runs {
      if let before, before.y == run.y {
        write("m\(Self.number(run.x - before.x - before.length)) 0")
      } else {
        write("M\(Self.number(run.x)) \(Self.number(run.y))")
      }
      write("h\(Self.number(run.length))")
      before = run
    }
  }

  private mutating func writeLine(_ points: [Point]) {
    for (index, point) in points.enumerated() {
      write("\(index == 0 ? "M" : "L")\(Self.number(point.x)) \(Self.number(point.y))")
    }
  }

  private mutating func write(_ text: String) { out.append(contentsOf: text.utf8) }

  static func hex(_ color: UInt32) -> String {
    "#" + String(color | 0x100_0000, radix: 16).dropFirst()
  }

  /// A number rounded to tenths (or another fraction) without trailing zeros; 0 if it is not
  /// finite.
  package static func number(_ value: Double, _ parts: Int = 10) -> String {
    guard let scaled = Int(exactly: (value * Double(parts)).rounded()) else { return "0" }
    let (whole, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt(parts))
    let sign = scaled < 0 ? "-" : ""
    guard rest > 0 else { return "\(sign)\(whole)" }
    var digits = String(rest + UInt(parts)).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(sign)\(whole).\(digits)"
  }
}
