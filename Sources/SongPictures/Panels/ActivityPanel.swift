// SPDX-License-Identifier: Apache-2.0

/// A row for each channel: its number and instruments, and the times and velocities of its notes.
struct ActivityPanel: Panel {
  private static let row = 15.0

  let channels: [ChannelSurvey]
  let notes: [SongNote]
  let inks: ChannelInks

  var height: Double { Double(channels.count) * Self.row }

  func draw(in box: Box, _ axis: TimeAxis, on picture: inout Picture) {
    var rows = [Int](repeating: 0, count: 256)
    for (index, channel) in channels.enumerated() { rows[Int(channel.index)] = index }
    var grid = NoteGrid(rowCount: channels.count, width: box.width)
    for note in notes {
      grid.paint(
        row: rows[Int(note.channel)], from: axis.part(note.start), to: axis.part(note.end),
        inks.value(of: note))
    }
    let runs = grid.runs(left: box.x) { box.y + (Double($0) + 0.5) * Self.row }
    inks.stroke(runs, thickness: Self.row - 5, on: &picture)
    for (index, channel) in channels.enumerated() {
      write(channel, y: box.y + Double(index) * Self.row, box, on: &picture)
    }
  }

  /// The right edge of the channel numbers, which follow the colours.
  ///
  /// It has room for `2:10`.
  private var numberEnd: Double {
    let widest = channels.map { LabelWidth.width($0.label, size: 10) }.max() ?? 0
    return Picture.edge + max(27, (14 + 1.1 * widest).rounded(.up))
  }

  private func write(
    _ channel: ChannelSurvey, y: Double, _ box: Box, on picture: inout Picture
  ) {
    let left = Picture.edge
    picture.fill(
      [Box(x: left, y: y + 3, width: 9, height: 9)], inks.ink(of: channel.index))
    let end = numberEnd
    picture.write(channel.label, at: Point(end, y + 11), size: 10, anchor: .end, isBold: true)
    let names = channel.names
    let rest = names.count > 1 ? " +\(names.count - 1)" : ""
    let room = box.x - Picture.gap - end - 5
    let name = LabelWidth.cut(
      names[0], size: 10, to: room - LabelWidth.width(rest, size: 10))
    picture.write(name + rest, at: Point(end + 5, y + 11), size: 10)
  }
}
