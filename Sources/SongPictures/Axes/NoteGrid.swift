// SPDX-License-Identifier: Apache-2.0

/// A grid of half-pixel cells, empty or with a value, into which any number of notes is painted.
///
/// The output is limited by the size of the grid, not by the number of notes.
struct NoteGrid {
  /// Cells per pixel.
  static let resolution = 2.0

  let rowCount: Int
  let columnCount: Int
  private var cells: [UInt8]

  init(rowCount: Int, width: Double) {
    self.rowCount = rowCount
    columnCount = max(Int((width * Self.resolution).rounded()), 1)
    cells = Array(repeating: 0, count: rowCount * columnCount)
  }

  /// Paints from one position to another, at least one cell.
  ///
  /// A note that directly follows a note with the same value is separated from it by an empty cell,
  /// if the other is longer than one cell.
  ///
  /// - Parameters:
  ///   - row: The row; rows out of range are ignored.
  ///   - start: The start as a fraction of the width, 0…1.
  ///   - end: The end as a fraction of the width.
  ///   - value: The value, 1…255.
  /// - Complexity: O(n) in the cells.
  mutating func paint(row: Int, from start: Double, to end: Double, _ value: UInt8) {
    guard end >= 0, start < 1, end >= start, (0..<rowCount).contains(row) else { return }
    let count = Double(columnCount)
    let first = min(Int((max(start, 0) * count).rounded(.down)), columnCount - 1)
    let last = max(first + 1, Int((min(end, 1) * count).rounded()))
    let base = row * columnCount
    if start >= 0, first > 1, cells[base + first - 1] == value, cells[base + first - 2] == value {
      cells[base + first - 1] = 0
    }
    for cell in base + first..<base + min(last, columnCount) { cells[cell] = value }
  }

  /// Fills several of the equal parts into which the width is divided.
  ///
  /// Adjacent cells with the same value are joined.
  ///
  /// - Complexity: O(n) in the cells.
  mutating func fill(row: Int, _ parts: Range<Int>, of count: Int, _ value: UInt8) {
    let base = row * columnCount
    let first = parts.lowerBound * columnCount / count
    let last = parts.upperBound * columnCount / count
    for cell in base + first..<base + last { cells[cell] = value }
  }

  /// The strokes of each value, in order of value, then of row and position.
  ///
  /// - Parameters:
  ///   - left: The left edge of the first column, in pixels.
  ///   - y: Returns the middle of a row.
  /// - Returns: The strokes in pixels.
  func runs(left: Double, y: (Int) -> Double) -> [(value: UInt8, runs: [Run])] {
    var found: [UInt8: [Run]] = [:]
    for row in 0..<rowCount {
      let middle = y(row)
      forEachRun(row) { value, range in
        found[value, default: []].append(
          Run(
            x: left + Double(range.lowerBound) / Self.resolution, y: middle,
            length: Double(range.count) / Self.resolution))
      }
    }
    return found.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private func forEachRun(_ row: Int, _ body: (UInt8, Range<Int>) -> Void) {
    let base = row * columnCount
    var start = 0
    while start < columnCount {
      let value = cells[base + start]
      var end = start + 1
      while end < columnCount, cells[base + end] == value { end += 1 }
      if value > 0 { body(value, start..<end) }
      start = end
    }
  }
}
