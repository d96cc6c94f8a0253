// SPDX-License-Identifier: Apache-2.0

/// The loudness of a sound: momentary (400 ms), short-term (3 s) and integrated.
///
/// Source: EBU Tech 3341.
struct LoudnessPanel: Panel {
  private static let range = -50.0...0.0

  let sound: SoundSurvey

  var height: Double { 76 }

  func draw(in box: Box, _ axis: TimeAxis, on picture: inout Picture) {
    picture.write(name: "Loudness", "LUFS", beside: box)
    picture.write("— short-term", at: Point(Picture.edge, box.y + 40), .mark, size: 9.5)
    picture.write("— momentary", at: Point(Picture.edge, box.y + 52), .channel(0), size: 9.5)
    picture.scale(
      [(-40, "−40"), (-30, "−30"), (-20, "−20"), (-10, "−10"), (0, "0")], Self.range, beside: box)
    picture.stroke(
      lines(sound.loudness.map { ($0.seconds, $0.momentary) }, axis, box), .channel(0),
      opacity: 0.8)
    picture.stroke(
      lines(sound.loudness.map { ($0.seconds, $0.shortTerm) }, axis, box), .mark, width: 1.8)
    guard let integrated = sound.integrated else { return }
    let y = box.y(of: integrated, in: Self.range)
    picture.stroke([[Point(box.x, y), Point(box.right, y)]], .text, isDashed: true, opacity: 0.7)
    picture.write(
      "\(SVGWriter.number(integrated)) LUFS".replacing("-", with: "−"),
      at: Point(box.right - 4, y < box.y + 16 ? y + 11 : y - 4), size: 9.5, anchor: .end)
  }

  /// The lines of audible stretches, with at most one point for each half pixel.
  private func lines(
    _ values: [(seconds: Double, value: Double)], _ axis: TimeAxis, _ box: Box
  ) -> [[Point]] {
    var lines: [[Point]] = [[]]
    for (seconds, value) in values {
      guard value > Self.range.lowerBound else {
        if lines[lines.count - 1].count > 0 { lines.append([]) }
        continue
      }
      let x = axis.x(seconds)
      if let last = lines[lines.count - 1].last, x - last.x < 0.5 { continue }
      lines[lines.count - 1].append(Point(x, box.y(of: value, in: Self.range)))
    }
    return lines.filter { $0.count > 1 }
  }
}
