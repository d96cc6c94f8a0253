// SPDX-License-Identifier: Apache-2.0

/// An HTML page about a song: facts, tables and pictures in one self-contained file.
///
/// It is light or dark like the viewer's screen, and does not use scripts or load other files.
package struct ReportPage: Sendable {
  /// A table with a heading, such as the list of channels.
  ///
  /// Each row has as many cells as `columns`.
  package struct Table: Sendable {
    package let heading: String
    package let columns: [String]
    package let rows: [[String]]

    package init(_ heading: String, _ columns: [String], _ rows: [[String]]) {
      (self.heading, self.columns, self.rows) = (heading, columns, rows)
    }
  }

  package var title: String
  package var facts: [(label: String, words: String)] = []
  package var picture: Picture
  package var tables: [Table] = []
  package var theme: PictureTheme

  package init(title: String, picture: Picture, theme: PictureTheme) {
    (self.title, self.picture, self.theme) = (title, picture, theme)
  }

  /// The page in UTF-8; always the same for the same song.
  package var document: [UInt8] {
    Array(head.utf8) + SVGWriter.element(picture, theme: theme) + Array(tail.utf8)
  }

  private var head: String {
    let title = MarkupText.escaped(title)
    let rows = facts.map {
      "<dt>\(MarkupText.escaped($0.label))</dt><dd>\(MarkupText.escaped($0.words))</dd>\n"
    }
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <title>\(title)</title>
      <style>
      \(colors)
      body{margin:0 auto;padding:1rem 1.5rem;max-width:\(Int(picture.width))px;line-height:1.45;\
      font-family:system-ui,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;\
      background:var(--page);color:var(--text)}
      h1{font-size:1.6rem;margin:.5rem 0 1rem;overflow-wrap:anywhere}
      h2{font-size:1.1rem;margin:1.5rem 0 .5rem}
      dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1.2rem;margin:0}
      dt,th{color:var(--faint);font-weight:normal;text-align:left}
      dd{margin:0;overflow-wrap:anywhere}
      figure{margin:1.5rem 0;overflow-x:auto}
      svg{display:block;max-width:100%;min-width:40rem;height:auto}
      table{border-collapse:collapse;width:100%}
      th,td{padding:.2rem .8rem .2rem 0;border-bottom:1px solid var(--line);vertical-align:top;\
      overflow-wrap:anywhere}
      </style>
      </head>
      <body>
      <h1>\(title)</h1>
      <dl>
      \(rows.joined())</dl>
      <figure>

      """
  }

  private var tail: String {
    let tables = tables.filter { !$0.rows.isEmpty }.map { table in
      """
      <h2>\(MarkupText.escaped(table.heading))</h2>
      <table>
      <thead>\(Self.row(table.columns, "th"))</thead>
      <tbody>
      \(table.rows.map { Self.row($0, "td") }.joined(separator: "\n"))
      </tbody>
      </table>

      """
    }
    return "</figure>\n\(tables.joined())</body>\n</html>\n"
  }

  private static func row(_ cells: [String], _ tag: String) -> String {
    "<tr>" + cells.map { "<\(tag)>\(MarkupText.escaped($0))</\(tag)>" }.joined() + "</tr>"
  }

  private var colors: String {
    func rule(_ appearance: Appearance) -> String {
      let roles: [(String, Ink)] = [
        ("page", .page), ("text", .text), ("faint", .faint), ("line", .grid),
      ]
      let values = roles.map { "--\($0.0):\(SVGWriter.hex(appearance.color(of: $0.1)))" }
      return ":root{color-scheme:\(appearance.rawValue);\(values.joined(separator: ";"))}"
    }
    guard theme == .auto else { return rule(theme.fixed) }
    return "\(rule(.light))\n@media (prefers-color-scheme:dark){\(rule(.dark))}"
  }
}
