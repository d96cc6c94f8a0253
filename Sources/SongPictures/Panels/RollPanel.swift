// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages

/// A piano roll of all channels except the drum channels, with a keyboard on the left.
struct RollPanel: Panel {
  /// The width of the keyboard.
  private static let keyboard = 22.0
  private static let leastSpan = 24

  let notes: [SongNote]
  let inks: ChannelInks
  let middleC: Int
  private let lowest: Int
  private let highest: Int

  init(_ notes: [SongNote], _ inks: ChannelInks, middleC: Int) {
    (self.notes, self.inks, self.middleC) = (notes, inks, middleC)
    var low = Int(notes.map(\.key).min() ?? 60) - 1
    var high = Int(notes.map(\.key).max() ?? 60) + 1
    while high - low + 1 < Self.leastSpan { (low, high) = (low - 1, high + 1) }
    lowest = max(low, 0)
    highest = min(high, 127)
  }

  private var rowCount: Int { highest - lowest + 1 }
  var height: Double { max(Double(rowCount) * 1.5, 100) }
  var preferredHeight: Double { min(max(Double(rowCount) * 7, 180), 440) }

  private static func isBlack(_ key: Int) -> Bool { [1, 3, 6, 8, 10].contains(key % 12) }

  private func y(_ key: Int, in box: Box) -> Double {
    box.y + Double(highest - key) * box.height / Double(rowCount)
  }

  private func boxes(in box: Box, x: Double, width: Double) -> [Box] {
    (lowest...highest).filter(Self.isBlack).map {
      Box(x: x, y: y($0, in: box), width: width, height: box.height / Double(rowCount))
    }
  }

  func drawGround(in box: Box, on picture: inout Picture) {
    picture.fill(boxes(in: box, x: box.x, width: box.width), .shade)
  }

  func draw(in box: Box, _ axis: TimeAxis, on picture: inout Picture) {
    drawKeyboard(beside: box, on: &picture)
    var grid = NoteGrid(rowCount: rowCount, width: box.width)
    for note in notes {
      grid.paint(
        row: highest - Int(note.key), from: axis.part(note.start), to: axis.part(note.end),
        inks.value(of: note))
    }
    let row = box.height / Double(rowCount)
    let runs = grid.runs(left: box.x) { box.y + (Double($0) + 0.5) * row }
    inks.stroke(runs, thickness: max(row * 0.86, 1), on: &picture)
  }

  private func drawKeyboard(beside box: Box, on picture: inout Picture) {
    picture.write(name: "Notes", beside: box)
    let left = box.x - Self.keyboard
    let row = box.height / Double(rowCount)
    picture.fill(
      [Box(x: left, y: box.y, width: Self.keyboard - 1, height: box.height)], .whiteKey)
    picture.fill(boxes(in: box, x: left, width: Self.keyboard * 0.6), .blackKey)
    let (right, top, bottom) = (box.x - 1, box.y, box.bottom)
    picture.stroke(
      [[Point(right, top), Point(left, top), Point(left, bottom), Point(right, bottom)]],
      .blackKey, width: 0.5, opacity: 0.5)
    // The edges between two white keys without a black key between them: below C and below F.
    let edges = (lowest...highest).filter { [0, 5].contains($0 % 12) }
      .map { key in [Point(left, y(key, in: box) + row), Point(box.x - 1, y(key, in: box) + row)] }
    picture.stroke(edges, .blackKey, width: 0.5, opacity: 0.5)
    var free = -Double.infinity
    for key in (lowest...highest).reversed() where key % 12 == 0 {
      let middle = y(key, in: box) + row / 2
      guard middle - free >= 11, middle > box.y + 4, middle < box.bottom - 2 else { continue }
      free = middle
      picture.write(
        Key(UInt8(key)).name(middleC: middleC), at: Point(left - 4, middle + 3.5), .faint,
        size: 9.5, anchor: .end)
    }
  }
}
