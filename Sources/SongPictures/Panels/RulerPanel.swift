// SPDX-License-Identifier: Apache-2.0

/// Markers, meters and keys, and bar numbers, above the notes.
struct RulerPanel: Panel {
  private static let row = 14.0
  private static let size = 10.0

  let survey: SongSurvey
  /// The number of bars from one bar number to the next; nil if bars cannot be counted.
  let step: Int?

  var isPlot: Bool { false }
  var height: Double { Double(rows.count) * Self.row + 3 }

  private var rows: [[(seconds: Double, text: String)]] {
    [survey.markers].filter { !$0.isEmpty } + [signatures, []]
  }

  /// Meters and keys; those at the same time are joined.
  private var signatures: [(seconds: Double, text: String)] {
    let meters = survey.meters.isEmpty ? [(seconds: 0, text: "4/4")] : survey.meters
    let all = (meters + survey.keys).enumerated()
      .sorted { ($0.element.seconds, $0.offset) < ($1.element.seconds, $1.offset) }
      .map(\.element)
    return all.reduce(into: []) { list, next in
      if let last = list.last, last.seconds == next.seconds {
        if !last.text.contains(next.text) { list[list.count - 1].text += "  \(next.text)" }
      } else {
        list.append(next)
      }
    }
  }

  func draw(in box: Box, _ axis: TimeAxis, on picture: inout Picture) {
    var y = box.y + Self.row - 3
    if !survey.markers.isEmpty {
      name("markers", y, axis, &picture)
      Self.write(survey.markers, axis, y: y, .mark, on: &picture)
      y += Self.row
    }
    name("meter, key", y, axis, &picture)
    Self.write(Self.inForce(signatures, axis), axis, y: y, .text, on: &picture)
    y += Self.row
    guard let step else { return }
    name("bar", y, axis, &picture)
    let bars = survey.bars.lines(every: step, along: axis)
    Self.write(bars.map { ($0.seconds, "\($0.bar)") }, axis, y: y, .faint, on: &picture)
  }

  private func name(_ text: String, _ y: Double, _ axis: TimeAxis, _ picture: inout Picture) {
    picture.write(
      text, at: Point(axis.left - Picture.gap, y), .faint, size: 9.5, anchor: .end)
  }

  /// The texts within a time axis; the text before it is moved to its beginning.
  private static func inForce(
    _ texts: [(seconds: Double, text: String)], _ axis: TimeAxis
  ) -> [(seconds: Double, text: String)] {
    let before = texts.last { $0.seconds <= axis.start }
    return (before.map { [(axis.start, $0.text)] } ?? [])
      + texts.filter { $0.seconds > axis.start }
  }

  /// Writes texts at their times, as far as there is room.
  private static func write(
    _ texts: [(seconds: Double, text: String)], _ axis: TimeAxis, y: Double, _ ink: Ink,
    on picture: inout Picture
  ) {
    let visible = texts.filter { $0.seconds >= axis.start - 1e-9 && $0.seconds < axis.end }
    var free = axis.left
    for (index, text) in visible.enumerated() {
      let x = axis.x(text.seconds)
      guard x >= free else { continue }
      // A long name can extend to the next one, unless that is very close.
      let next = visible.dropFirst(index + 1).first.map { axis.x($0.seconds) } ?? axis.right
      let room = min(max(next - x - 6, 84), axis.right - x)
      let shown = LabelWidth.cut(text.text, size: size, to: room)
      guard !shown.isEmpty else { continue }
      picture.write(shown, at: Point(x + 1, y), ink, size: size)
      free = x + LabelWidth.width(shown, size: size) + 6
    }
  }
}
