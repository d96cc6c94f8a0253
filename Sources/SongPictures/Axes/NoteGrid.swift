// SPDX-License-Identifier: Apache-2.0

/// Rows of half pixels, each empty or of a value: what any number of notes is painted into.
///
/// What is read out of it is bounded by its size, whatever was painted.
struct NoteGrid {
  /// Cells to a pixel.
  static let resolution = 2.0

  let rowCount: Int
  let columnCount: Int
  private var cells: [UInt8]

  init(rowCount: Int, width: Double) {
    self.rowCount = rowCount
    columnCount = max(Int((width * Self.resolution).rounded()), 1)
    cells = Array(repeating: 0, count: rowCount * columnCount)
  }

  /// Paints from one part of the width to another, a cell at least.
  ///
  /// A strike that follows its like is parted from it by an empty cell, unless that were all of it.
  ///
  /// - Parameters:
  ///   - row: what is not there is not painted.
  ///   - start: 0…1 within the width.
  ///   - end: where it ends, as `start`.
  ///   - value: 1…255.
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

  /// Fills some of as many parts as the width is divided into; like neighbours become one.
  ///
  /// - Complexity: O(n) in the cells.
  mutating func fill(row: Int, _ parts: Range<Int>, of count: Int, _ value: UInt8) {
    let base = row * columnCount
    let first = parts.lowerBound * columnCount / count
    let last = parts.upperBound * columnCount / count
    for cell in base + first..<base + last { cells[cell] = value }
  }

  /// The strokes of each value, in order of value, then of row and place.
  ///
  /// - Parameters:
  ///   - left: where the first column begins.
  ///   - y: gives the middle of a row.
  /// - Returns: the strokes in pixels.
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
