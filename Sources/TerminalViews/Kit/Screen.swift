// SPDX-License-Identifier: Apache-2.0
internal import JSONText

/// The contents of a terminal, as a value: rows of cells.
///
/// Text never leaves its row: control characters become `·`, combining marks join the character
/// before them, and a wide character that does not fit is left out.
package struct Screen: Hashable, Sendable {
  /// A column of a row; a wide character also occupies the next cell, which is empty.
  struct Cell: Hashable, BitwiseCopyable, Sendable {
    static let blank = Cell(scalar: " ", style: .plain)
    /// At most two combining marks; with more of them, a character could cover other lines.
    var marks: (Unicode.Scalar, Unicode.Scalar) = ("\0", "\0")
    /// The character; NUL in the second cell of a wide character.
    var scalar: Unicode.Scalar
    var style: CellStyle

    init(scalar: Unicode.Scalar, style: CellStyle) {
      self.scalar = scalar
      self.style = style
    }

    static func == (left: Cell, right: Cell) -> Bool {
      left.scalar == right.scalar && left.style == right.style && left.marks == right.marks
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(scalar)
      hasher.combine(style)
    }

    var isSecondHalf: Bool { scalar == "\0" }

    mutating func add(_ mark: Unicode.Scalar) {
      if marks.0 == "\0" { marks.0 = mark } else if marks.1 == "\0" { marks.1 = mark }
    }

    /// The character with its combining marks.
    var text: String {
      var text = String.UnicodeScalarView()
      for scalar in [scalar, marks.0, marks.1] where scalar != "\0" { text.append(scalar) }
      return String(text)
    }
  }

  package let size: TerminalSize
  private(set) var cells: [Cell]

  /// Creates an empty screen.
  package init(_ size: TerminalSize) {
    self.size = size
    cells = Array(repeating: .blank, count: size.columns * size.rows)
  }

  /// The cells of a row.
  func row(_ row: Int) -> ArraySlice<Cell> {
    cells[row * size.columns..<(row + 1) * size.columns]
  }

  /// A row as text, without trailing spaces.
  package func text(row: Int) -> String {
    let text = self.row(row).map(\.text).joined()
    return String(text.reversed().drop { $0 == " " }.reversed())
  }

  /// All rows as text.
  package var text: String {
    (0..<size.rows).map { text(row: $0) + "\n" }.joined()
  }

  /// Writes text into a row, up to a column; text that does not fit is cut and ends with `…`.
  ///
  /// - Returns: The column after the text.
  @discardableResult
  package mutating func write(
    _ text: String, row: Int, column: Int, end: Int? = nil, _ style: CellStyle = .plain
  ) -> Int {
    let end = min(end ?? size.columns, size.columns)
    guard (0..<size.rows).contains(row), column >= 0, column < end else { return column }
    let text = Printable.text(text)
    let fits = TextWidth.columns(text) <= end - column
    let limit = fits ? end : end - 1
    var place = column
    for scalar in text.unicodeScalars {
      guard put(scalar, in: row, at: &place, from: column, to: limit, style) else { break }
    }
    if !fits { set(Cell(scalar: "…", style: style), row, &place, width: 1) }
    return place
  }

  /// Writes a scalar if it fits before the limit.
  ///
  /// - Parameters:
  ///   - scalar: The scalar.
  ///   - row: The row.
  ///   - place: The column; moved past the scalar.
  ///   - first: The column of the text's first scalar.
  ///   - limit: The column at which the text ends.
  ///   - style: The style.
  /// - Returns: False if it does not fit.
  private mutating func put(
    _ scalar: Unicode.Scalar, in row: Int, at place: inout Int, from first: Int, to limit: Int,
    _ style: CellStyle
  ) -> Bool {
    let width = TextWidth.columns(scalar)
    guard width > 0 else {
      // A joiner or variation selector would change the width of the character before it.
      if place > first, !Self.changesWidth(scalar) { mark(row, place - 1, scalar) }
      return true
    }
    guard place + width <= limit else { return false }
    set(Cell(scalar: scalar, style: style), row, &place, width: width)
    return true
  }

  private static func changesWidth(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .format || (0xFE00...0xFE0F).contains(scalar.value)
  }

  private mutating func mark(_ row: Int, _ column: Int, _ scalar: Unicode.Scalar) {
    var index = row * size.columns + column
    if cells[index].isSecondHalf { index -= 1 }
    cells[index].add(scalar)
  }

  private mutating func set(_ cell: Cell, _ row: Int, _ place: inout Int, width: Int) {
    let index = row * size.columns + place
    guard place + width <= size.columns else { return }
    // A wide character cannot be shown by half.
    if cells[index].isSecondHalf { cells[index - 1] = .blank }
    let after = index + width
    if after < cells.count, cells[after].isSecondHalf { cells[after] = .blank }
    cells[index] = cell
    if width == 2 { cells[index + 1] = Cell(scalar: "\0", style: cell.style) }
    place += width
  }

  /// Clears a row from a column on.
  package mutating func clear(row: Int, from column: Int = 0) {
    write(
      String(repeating: " ", count: max(size.columns - column, 0)), row: row, column: column)
  }
}
