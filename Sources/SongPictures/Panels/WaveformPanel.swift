// SPDX-License-Identifier: Apache-2.0

/// The waveform of a sound: the extremes of its samples, and inside them the RMS value.
struct WaveformPanel: Panel {
  let sound: SoundSurvey

  var height: Double { 80 }

  func draw(in box: Box, _ axis: TimeAxis, on picture: inout Picture) {
    picture.write(name: "Waveform", "of full scale", beside: box)
    let scale = max(1, sound.peak)
    let range = -scale...scale
    picture.scale([(-1, "−1"), (0, "0"), (1, "1")], range, beside: box)
    let columns = sound.columns
    picture.fill(
      area: outline(columns.map { ($0.lowest, $0.highest) }, box, range), .channel(0),
      opacity: 0.55)
    picture.fill(
      area: outline(columns.map { (-$0.rms, $0.rms) }, box, range), .channel(0))
  }

  /// The outline along the upper ends from left to right, and back along the lower ends.
  private func outline(
    _ ends: [(low: Double, high: Double)], _ box: Box, _ range: ClosedRange<Double>
  ) -> [Point] {
    let step = box.width / Double(max(ends.count, 1))
    func point(_ column: Int, _ value: Double, _ least: Double) -> Point {
      Point(box.x + (Double(column) + 0.5) * step, box.y(of: value, in: range) + least)
    }
    // Silence is drawn as a thin line.
    let upper = ends.indices.map { point($0, ends[$0].high, -0.3) }
    let lower = ends.indices.reversed().map { point($0, ends[$0].low, 0.3) }
    return upper + lower
  }
}
