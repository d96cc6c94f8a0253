// SPDX-License-Identifier: Apache-2.0

/// The volume (controller 7) of channels as solid lines, and expression (11) as dashed lines.
struct VolumePanel: Panel {
  private static let range = 0.0...128.0

  let channels: [ChannelSurvey]
  let inks: ChannelInks

  /// Creates the panel of a song; nil if the song does not change volume or expression.
  init?(_ channels: [ChannelSurvey], _ inks: ChannelInks) {
    self.channels = channels.filter { !$0.volume.isEmpty || !$0.expression.isEmpty }
    self.inks = inks
    guard !self.channels.isEmpty else { return nil }
  }

  var height: Double { 64 }

  func draw(in box: Box, _ axis: TimeAxis, on picture: inout Picture) {
    picture.write(name: "Volume", beside: box)
    if channels.contains(where: { !$0.expression.isEmpty }) {
      picture.write(
        "- - expression", at: Point(Picture.edge, box.y + 23), .faint, size: 9.5)
    }
    picture.scale([(0, "0"), (64, "64"), (127, "127")], Self.range, beside: box)
    for channel in channels {
      let ink = inks.ink(of: channel.index)
      for (steps, isDashed) in [(channel.volume, false), (channel.expression, true)] {
        let line = StepCurve(steps: steps).line(axis, in: box, range: Self.range)
        picture.stroke(
          [line], ink, width: isDashed ? 1 : 1.5, isDashed: isDashed, opacity: 0.85)
      }
    }
  }
}
