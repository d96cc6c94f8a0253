// SPDX-License-Identifier: Apache-2.0

/// The bytes that change the contents of a terminal.
package struct ScreenEncoder: Sendable {
  private let abilities: TerminalAbilities
  private var out = ""
  /// The index of the cell at the cursor; nil if it is not known.
  private var cursor: Int?
  private var style: CellStyle?

  private init(_ abilities: TerminalAbilities) {
    self.abilities = abilities
  }

  /// The bytes that change a terminal from one screen to another.
  ///
  /// - Parameters:
  ///   - old: The current contents; nil if they are not known, so that everything is drawn.
  ///   - new: The new contents.
  ///   - abilities: The abilities of the terminal.
  /// - Returns: The bytes; empty if the screens are equal.
  package static func bytes(
    from old: Screen?, to new: Screen, _ abilities: TerminalAbilities
  ) -> [UInt8] {
    guard old != new else { return [] }
    var encoder = ScreenEncoder(abilities)
    let known = old.flatMap { $0.size == new.size ? $0 : nil }
    if known == nil { encoder.out = "\u{1B}[0m\u{1B}[2J" }
    for index in new.cells.indices {
      let cell = new.cells[index]
      guard !cell.isSecondHalf, cell != (known?.cells[index] ?? .blank) else { continue }
      encoder.append(cell, at: index, in: new)
    }
    return Array((encoder.out + "\u{1B}[0m").utf8)
  }

  private var palette: Palette? { abilities.hasColor ? abilities.palette : nil }

  private mutating func append(_ cell: Screen.Cell, at index: Int, in screen: Screen) {
    if cursor != index {
      let columns = screen.size.columns
      out += "\u{1B}[\(index / columns + 1);\(index % columns + 1)H"
    }
    if style != cell.style { out += cell.style.sequence(palette) }
    style = cell.style
    // The cursor is positioned again at the end of a row, and after characters whose width differs
    // between terminals.
    let isKnown = cell.scalar.isASCII && (index + 1) % screen.size.columns != 0
    cursor = isKnown ? index + 1 : nil
    if abilities.isUnicode || cell.scalar.isASCII && cell.marks.0 == "\0" {
      out += cell.text
    } else {
      out.unicodeScalars.append(Self.ascii(cell.scalar))
    }
  }

  /// The ASCII character that replaces a character.
  private static func ascii(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar {
    case "─", "–", "—": "-"
    case "━": "="
    case "│", "┃", "╷", "▏": "|"
    case "…": "~"
    case "·", "▁", "▂": "."
    case "▃", "▄": ":"
    case "▅", "▆": "="
    case "▇", "█", "♯": "#"
    case "▶", "→", "›": ">"
    case "←", "‹": "<"
    case "↑": "^"
    case "↓": "v"
    case "■", "●": "*"
    case "♪": "~"
    case "♭": "b"
    case "“", "”": "\""
    case "‘", "’": "'"
    case "×": "x"
    case "−": "-"
    case "±": "+"
    default: scalar.isASCII ? scalar : "?"
    }
  }
}
