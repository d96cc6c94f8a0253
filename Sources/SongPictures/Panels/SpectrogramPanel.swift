// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The spectrum over time, with the lowest frequencies at the bottom, on a logarithmic scale.
struct SpectrogramPanel: Panel {
  let sound: SoundSurvey

  private static let row = 2.0

  var height: Double { Double(SoundSurvey.bandCount) * Self.row }

  func draw(in box: Box, _ axis: TimeAxis, on picture: inout Picture) {
    picture.write(name: "Spectrum", "Hz", beside: box)
    var grid = NoteGrid(rowCount: SoundSurvey.bandCount, width: box.width)
    let count = sound.columns.count
    for column in stride(from: 0, to: count, by: SoundSurvey.cell) {
      for band in 0..<SoundSurvey.bandCount {
        guard let level = sound.level(column: column, band: band) else { continue }
        grid.fill(
          row: SoundSurvey.bandCount - 1 - band,
          column..<min(column + SoundSurvey.cell, count), of: count, UInt8(1 + level))
      }
    }
    for (value, runs) in grid.runs(left: box.x, y: { box.y + (Double($0) + 0.5) * Self.row }) {
      picture.stroke(runs: runs, .heat(Int(value) - 1), thickness: Self.row, isCrisp: true)
    }
    drawScale(beside: box, on: &picture)
  }

  private func drawScale(beside box: Box, on picture: inout Picture) {
    for (hertz, text) in [(50.0, "50"), (200, "200"), (1000, "1k"), (4000, "4k"), (16000, "16k")] {
      let part = log(hertz / SoundSurvey.lowest) / log(SoundSurvey.highest / SoundSurvey.lowest)
      let y = box.bottom - part * box.height
      picture.stroke([[Point(box.x - 4, y), Point(box.x, y)]], .strongGrid)
      picture.write(
        text, at: Point(box.x - Picture.gap, y + 3.5), .faint, size: 9.5, anchor: .end)
    }
  }
}
