// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import Testing

@testable import CairoPictures
@testable import SongPictures

@Suite struct PictureTests {
  /// A song of notes that last a part of the distance between them.
  private func survey(
    _ notes: Int, every ticks: Int64 = 240, length: Int64 = 200, channels: Int = 3
  ) throws -> SongSurvey {
    var sequence = MusicSequence()
    var track = MusicTrack()
    for index in 0..<notes {
      let note = Note(
        Channel(index: UInt8(index % channels)), Key(UInt8(20 + index * 7 % 90)),
        velocity: UInt8(1 + index * 11 % 127), duration: length)
      try track.insert(.note(note), at: Tick(Int64(index) * ticks))
    }
    sequence.tracks.append(track)
    return try SongSurvey(sequence) { $0.string }
  }

  private func picture(_ survey: SongSurvey, width: Int = 1200) -> SongPicture {
    var picture = SongPicture(part: 0...survey.length, width: width)
    picture.song = survey
    (picture.title, picture.subtitle) = ("A song", "and what it is")
    return picture
  }

  @Test(arguments: [320, 1200, 8192], [0, 1, 100])
  func `everything lies on the picture`(width: Int, notes: Int) throws {
    let drawing = picture(try survey(notes), width: width).draw()
    let page = Box(x: 0, y: 0, width: drawing.width, height: drawing.height)
    for shape in drawing.shapes {
      for point in shape.points {
        #expect(
          point.x >= 0 && point.x <= page.width && point.y >= 0 && point.y <= page.height,
          "\(shape)")
      }
    }
  }

  @Test(arguments: [320, 700, 1200], [1, 60, 3000])
  func `no two texts lie over each other`(width: Int, notes: Int) throws {
    let drawing = picture(try survey(notes, channels: 16), width: width).draw()
    let boxes = drawing.shapes.compactMap(\.textBox)
    for (index, box) in boxes.enumerated() {
      for other in boxes[..<index] {
        let overlaps =
          box.x < other.right - 0.5 && other.x < box.right - 0.5 && box.y < other.bottom - 2
          && other.y < box.bottom - 2
        #expect(!overlaps, "\(box), \(other)")
      }
    }
  }

  @Test func `a valid height is used exactly`() throws {
    var picture = picture(try survey(50))
    let free = picture.draw().height
    for height in [picture.leastHeight, Int(free) + 500] {
      picture.height = height
      #expect(picture.draw().height == Double(height))
    }
    #expect(Double(picture.leastHeight) < free)
  }

  @Test func `the number of strokes is limited by the half pixels, whatever the notes`() throws {
    let drawing = picture(try survey(60_000, every: 8, length: 8, channels: 16), width: 400).draw()
    let strokes = drawing.shapes.reduce(0) { count, shape in
      guard case .runs(let runs, _, _) = shape.form else { return count }
      return count + runs.count
    }
    // Rows of keys, drums, channels and velocities.
    let rows = 92 + 90 + 16 + 32
    #expect(strokes <= rows * SongPicture.columnCount(width: 400) * 2)
  }

  @Test func `the same song gives the same picture`() throws {
    let survey = try survey(500)
    let documents = (0..<2).map { _ in
      SVGWriter.document(picture(survey).draw(), theme: .auto)
    }
    #expect(documents[0] == documents[1])
  }

  @Test(arguments: [(0.0, "0"), (1, "1"), (-2.5, "-2.5"), (10.04, "10"), (0.96, "1"), (-0.04, "0")])
  func `coordinates are written in tenths`(value: Double, text: String) {
    #expect(SVGWriter.number(value) == text)
    #expect(SVGWriter.number(.nan) == "0")
    #expect(SVGWriter.number(.infinity) == "0")
  }

  @Test func `text is escaped, and what steers is shown as bytes`() {
    let text = MarkupText.escaped("<b>&\"'\u{1B}[2J\u{202E}\u{0}]]>\u{FFFF}\u{1F3B5}")
    #expect(text == "&lt;b&gt;&amp;&quot;&#39;\\x1B[2J\\xE2\\x80\\xAE\\x00]]&gt;·\u{1F3B5}")
  }

  @Test func `text that is too wide is cut with an ellipsis, or left out`() {
    #expect(LabelWidth.cut("Acoustic Grand Piano", size: 10, to: 1000) == "Acoustic Grand Piano")
    let cut = LabelWidth.cut("Acoustic Grand Piano", size: 10, to: 60)
    #expect(cut.hasSuffix("…") && cut.hasPrefix("Acou"))
    #expect(LabelWidth.width(cut, size: 10) <= 60)
    #expect(LabelWidth.cut("Acoustic", size: 10, to: 3) == "")
  }

  /// The picture in pixels; nil if cairo is not installed.
  private func png(_ drawing: Picture, _ appearance: Appearance) throws -> [UInt8]? {
    do {
      return try PNGWriter.document(drawing, appearance)
    } catch {
      guard error == .libraryMissing else { throw error }
      return nil
    }
  }

  @Test(arguments: Appearance.allCases)
  func `a PNG is as large as the picture and not blank`(appearance: Appearance) throws {
    let drawing = picture(try survey(50), width: 400).draw()
    guard let bytes = try png(drawing, appearance) else { try Test.cancel("no Cairo") }
    #expect(Array(bytes.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    let sizes = [16, 20].map { at in bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    #expect(sizes == [400, Int(drawing.height)])
    // Blank, it would be packed into a thousand or so.
    #expect(bytes.count > 4000)
    #expect(try png(drawing, appearance) == bytes)
  }
}

extension Shape {
  /// The places that it is drawn through.
  fileprivate var points: [Point] {
    switch form {
    case .boxes(let boxes): boxes.flatMap { [Point($0.x, $0.y), Point($0.right, $0.bottom)] }
    case .lines(let lines, _, _): lines.flatMap { $0 }
    case .area(let outline): outline
    case .runs(let runs, _, _): runs.flatMap { [Point($0.x, $0.y), Point($0.x + $0.length, $0.y)] }
    case .text: textBox.map { [Point($0.x, $0.y), Point($0.right, $0.bottom)] } ?? []
    }
  }

  /// The box of a text, from the height of its capitals to its base line.
  fileprivate var textBox: Box? {
    guard case .text(let label) = form else { return nil }
    let width = LabelWidth.width(label.text, size: label.size)
    let share =
      switch label.anchor {
      case .start: 0.0
      case .middle: 0.5
      case .end: 1.0
      }
    return Box(
      x: label.place.x - share * width, y: label.place.y - label.size * 0.75, width: width,
      height: label.size * 0.75)
  }
}
