// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages

/// The notes of the drum channels, with a row for each instrument that is used.
struct DrumPanel: Panel {
  private let notes: [SongNote]
  private let inks: ChannelInks
  /// The keys that are used, from the highest down.
  private let keys: [UInt8]

  init(_ notes: [SongNote], _ inks: ChannelInks) {
    (self.notes, self.inks) = (notes, inks)
    keys = Set(notes.map(\.key)).sorted(by: >)
  }

  private var row: Double { keys.count <= 16 ? 11 : max(176 / Double(keys.count), 3) }
  var height: Double { max(Double(keys.count) * row, 22) }

  func drawGround(in box: Box, on picture: inout Picture) {
    let rows = keys.indices.filter { $0 % 2 == 1 }.map {
      Box(x: box.x, y: box.y + Double($0) * row, width: box.width, height: row)
    }
    picture.fill(rows, .shade)
  }

  func draw(in box: Box, _ axis: TimeAxis, on picture: inout Picture) {
    var rows = [Int](repeating: 0, count: 128)
    for (index, key) in keys.enumerated() { rows[Int(key)] = index }
    var grid = NoteGrid(rowCount: keys.count, width: box.width)
    for note in notes {
      grid.paint(
        row: rows[Int(note.key)], from: axis.part(note.start),
        // A stroke has a minimum width to be visible, and a maximum width even if it is held.
        to: min(
          max(axis.part(note.end), axis.part(note.start) + 2 / axis.width),
          axis.part(note.start) + 8 / axis.width),
        inks.value(of: note))
    }
    let runs = grid.runs(left: box.x) { box.y + (Double($0) + 0.5) * row }
    inks.stroke(runs, thickness: max(row * 0.7, 1), on: &picture)
    guard row >= 10 else { return picture.write(name: "Drums", beside: box) }
    for (index, key) in keys.enumerated() {
      picture.write(
        GeneralMIDI.name(ofDrum: Key(key)) ?? "key \(key)",
        at: Point(box.x - Picture.gap, box.y + (Double(index) + 0.5) * row + 3.5), .faint,
        size: 9.5, anchor: .end, within: box.x - Picture.gap - Picture.edge)
    }
  }
}
