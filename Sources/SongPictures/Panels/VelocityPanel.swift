// SPDX-License-Identifier: Apache-2.0

/// The velocities of notes: a dash for each, in the colour of its channel.
struct VelocityPanel: Panel {
  private static let range = 0.0...128.0
  /// The maximum length of a dash, and its height, in pixels.
  private static let dash = 3.0
  private static let row = 2.0

  let notes: [SongNote]
  let inks: ChannelInks

  var height: Double { 64 }

  func draw(in box: Box, _ axis: TimeAxis, on picture: inout Picture) {
    picture.write(name: "Velocity", beside: box)
    picture.scale([(0, "0"), (64, "64"), (127, "127")], Self.range, beside: box)
    let rowCount = Int(box.height / Self.row)
    var grid = NoteGrid(rowCount: rowCount, width: box.width)
    for note in notes {
      let row = Int((box.y(of: Double(note.velocity), in: Self.range) - box.y) / Self.row)
      let start = axis.part(note.start)
      grid.paint(
        row: min(row, rowCount - 1), from: start, to: start + Self.dash / box.width,
        inks.value(of: note))
    }
    let runs = grid.runs(left: box.x) { box.y + (Double($0) + 0.5) * Self.row }
    inks.stroke(runs, thickness: Self.row, on: &picture)
  }
}
