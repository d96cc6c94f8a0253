// SPDX-License-Identifier: Apache-2.0
package import MusicSequences

/// The contents and settings of a picture of a song, of a song with its sound, or of a sound.
package struct SongPicture: Sendable {
  /// The allowed widths and heights, in pixels.
  package static let sizes = 320...8192
  package static let usualWidth = 1200
  /// The width of the margin for scales and names on the left, and of the right margin.
  private static let margin = 176.0
  private static let right = 16.0
  private static let gap = 12.0
  private static let barSpacing = 38.0

  /// The heading, and a smaller line below it; empty for none.
  package var title = ""
  package var subtitle = ""
  package var song: SongSurvey?
  package var sound: SoundSurvey?
  /// The channels of each port that are shown.
  package var channels = PortChannels.all
  /// The part that is shown, in seconds.
  package var part: ClosedRange<Double>
  /// The octave number of middle C in key names; 4 by default.
  package var middleC = 4
  package let width: Int
  /// The height in pixels; nil for as much as the contents need.
  package var height: Int?

  package init(part: ClosedRange<Double>, width: Int) {
    (self.part, self.width) = (part, width)
  }

  /// The width of the time axis in a picture of a given width, in pixels.
  package static func columnCount(width: Int) -> Int {
    max(Int(Double(width) - margin(of: width) - right), 1)
  }

  private static func margin(of width: Int) -> Double { min(margin, Double(width) * 0.3) }

  private var axis: TimeAxis {
    TimeAxis(
      part.lowerBound, part.upperBound, left: Self.margin(of: width),
      width: Double(Self.columnCount(width: width)))
  }

  private var isHeaded: Bool { !title.isEmpty }
  private var headHeight: Double { isHeaded ? 56 : 10 }
  private static let footHeight = 24.0

  /// The smallest height that has room for all contents, in pixels.
  package var leastHeight: Int {
    Int(total(panels().reduce(0) { $0 + $1.height }, panels().count).rounded(.up))
  }

  private func total(_ panels: Double, _ count: Int) -> Double {
    headHeight + panels + Double(max(count - 1, 0)) * Self.gap + Self.footHeight
  }

  /// Draws the picture.
  ///
  /// - Complexity: O(n) in the notes. The number of shapes is limited by the size of the picture.
  package func draw() -> Picture {
    let panels = panels()
    let wanted = total(panels.reduce(0) { $0 + $1.preferredHeight }, panels.count)
    let full = height.map { max(Double($0), Double(leastHeight)) } ?? wanted
    // The remaining or missing height is shared by the panels with variable height.
    let fixed = panels.filter { $0.preferredHeight == $0.height }.reduce(0) { $0 + $1.height }
    let flexible = panels.filter { $0.preferredHeight != $0.height }
      .reduce(0) { $0 + $1.preferredHeight }
    let factor = flexible > 0 ? (full - total(fixed, panels.count)) / flexible : 1
    var picture = Picture(
      title: title.isEmpty ? "Song" : title, width: Double(width), height: full.rounded(.up))
    drawHead(on: &picture)
    var y = headHeight
    var boxes: [Box] = []
    for panel in panels {
      let isFixed = panel.preferredHeight == panel.height
      let height = isFixed ? panel.height : panel.preferredHeight * factor
      boxes.append(Box(x: axis.left, y: y.rounded(), width: axis.width, height: height.rounded()))
      y += height + Self.gap
    }
    for (panel, box) in zip(panels, boxes) { draw(panel, box, on: &picture) }
    drawMarkers(from: boxes.first, to: boxes.last, on: &picture)
    drawTimes(below: boxes.last?.bottom ?? y, on: &picture)
    return picture
  }

  private func panels() -> [any Panel] { songPanels() + soundPanels() }

  private func songPanels() -> [any Panel] {
    guard let song else { return [] }
    let inks = ChannelInks(song.channels)
    let axis = axis
    let notes = song.notes.filter { isDrawn($0, on: axis) }
    let shown = song.channels.filter { isShown($0.index) }
    let drums = shown.filter(\.isDrums).map(\.index)
    let struck = notes.filter { drums.contains($0.channel) }
    let ruler = RulerPanel(
      survey: song, step: song.bars.step(along: axis, spacing: Self.barSpacing))
    let roll = RollPanel(
      notes.filter { !drums.contains($0.channel) }, inks, middleC: middleC)
    let optional: [(any Panel)?] = [
      struck.isEmpty ? nil : DrumPanel(struck, inks),
      shown.isEmpty ? nil : ActivityPanel(channels: shown, notes: notes, inks: inks),
      notes.isEmpty ? nil : VelocityPanel(notes: notes, inks: inks), VolumePanel(shown, inks),
      TempoPanel(song.tempi),
    ]
    return [ruler, roll] + optional.compactMap { $0 }
  }

  /// True if the shown part and channels contain a note.
  package var hasNotes: Bool {
    let axis = axis
    return song?.notes.contains { isDrawn($0, on: axis) } ?? false
  }

  private func isDrawn(_ note: SongNote, on axis: TimeAxis) -> Bool {
    isShown(note.channel) && note.start < axis.end && note.end >= axis.start
  }

  /// True if a channel (an index over all ports) is shown.
  private func isShown(_ channel: UInt8) -> Bool {
    channels[Int(channel >> 4)] >> UInt16(channel & 15) & 1 != 0
  }

  private func soundPanels() -> [any Panel] {
    guard let sound else { return [] }
    let loudness: [any Panel] = sound.loudness.isEmpty ? [] : [LoudnessPanel(sound: sound)]
    return [WaveformPanel(sound: sound), SpectrogramPanel(sound: sound)] + loudness
  }

  private func drawHead(on picture: inout Picture) {
    guard isHeaded else { return }
    let room = Double(width) - 2 * Picture.edge
    picture.write(
      title, at: Point(Picture.edge, 26), size: 17, isBold: true, within: room / 1.1)
    picture.write(subtitle, at: Point(Picture.edge, 44), .faint, size: 11, within: room)
  }

  private func draw(_ panel: any Panel, _ box: Box, on picture: inout Picture) {
    if panel.isPlot {
      picture.fill([box], .plot)
      panel.drawGround(in: box, on: &picture)
      drawBars(in: box, on: &picture)
    }
    panel.draw(in: box, axis, on: &picture)
  }

  /// Draws bar lines, or lines at times if the song does not have bars.
  private func drawBars(in box: Box, on picture: inout Picture) {
    func lines(_ times: [Double]) -> [[Point]] {
      times.map { axis.x($0).rounded() + 0.5 }.map { [Point($0, box.y), Point($0, box.bottom)] }
    }
    guard let song, let step = song.bars.step(along: axis, spacing: Self.barSpacing) else {
      return picture.stroke(lines(axis.marks().map(\.seconds)), .grid)
    }
    if let fine = song.bars.step(along: axis, spacing: 9), fine < step {
      picture.stroke(lines(song.bars.lines(every: fine, along: axis).map(\.seconds)), .grid)
    }
    let marked = lines(song.bars.lines(every: step, along: axis).map(\.seconds))
    // If the tempo is far from its mean, there may be too many.
    if Double(marked.count) * 4 < axis.width { picture.stroke(marked, .strongGrid) }
  }

  private func drawMarkers(from first: Box?, to last: Box?, on picture: inout Picture) {
    guard let first, let last, let song else { return }
    var lines: [[Point]] = []
    for marker in song.markers where marker.seconds >= axis.start && marker.seconds < axis.end {
      let x = axis.x(marker.seconds).rounded() + 0.5
      guard lines.last.map({ x - $0[0].x >= 6 }) ?? true else { continue }
      lines.append([Point(x, first.bottom), Point(x, last.bottom)])
    }
    picture.stroke(lines, .mark, isDashed: true, opacity: 0.6)
  }

  private func drawTimes(below bottom: Double, on picture: inout Picture) {
    for mark in axis.marks() {
      let x = axis.x(mark.seconds)
      picture.stroke([[Point(x, bottom), Point(x, bottom + 4)]], .faint)
      let half = LabelWidth.width(mark.text, size: 10) / 2
      picture.write(
        mark.text, at: Point(min(x, Double(width) - half - 2), bottom + 16), .faint,
        anchor: .middle)
    }
  }
}
