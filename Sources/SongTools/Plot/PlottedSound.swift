// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CommandKit
internal import CommandOptions
internal import FileNames
internal import Glibc
internal import MusicSequences
internal import MusicalTime
internal import SongPictures

/// The picture of a sound file, or a page that contains the picture.
struct PlottedSound {
  private static let chunk = 8192

  private let reader: SoundFileReader
  private let options: Plot

  init(_ path: String, _ options: Plot) throws {
    let flags = options.flags
    if options.audio || flags.from != nil || flags.to != nil || !flags.hasAllChannels {
      throw Failure(
        .usage, "\(path): is a sound file (leave out --audio, --from, --to and the channels)",
        options: ["--to"])
    }
    reader = try SoundFileReader(path: path)
    guard reader.frameCount != .max else {
      throw Failure(
        .badData, "\(path): its length is unknown (convert it first: downbeat sound convert)")
    }
    try reader.setClient(ClientFormat(channelCount: 2))
    self.options = options
  }

  /// Returns true if the file has the signature of a sound file; false also if it cannot be read.
  static func isSound(_ path: String) -> Bool {
    let file = path.withSystemPath { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard file >= 0 else { return false }
    defer { close(file) }
    var status = stat()
    // Reading from a pipe would remove its data.
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    var head = [UInt8](repeating: 0, count: 16)
    let count = unsafe read(file, &head, head.count)
    guard count > 0, ForeignFile(Array(head[..<count]))?.kind == .sound else { return false }
    return true
  }

  private var seconds: Double { Double(reader.frameCount) / Double(reader.rate.hertz) }

  func picture() throws -> SongPicture {
    var picture = SongPicture(part: 0...seconds, width: options.width)
    picture.title = Plot.heading(options.path)
    picture.height = options.height
    var ear = try SurveyingEar(
      seconds: 0...seconds, rate: reader.rate, width: options.width,
      isQuiet: options.reading.quiet)
    while true {
      let samples = reader.read(frameCount: Self.chunk)
      guard !samples.isEmpty else { break }
      ear.hear(samples.span)
    }
    picture.sound = ear.survey(gain: 1)
    picture.subtitle = facts.map(\.words).joined(separator: "  ·  ")
    return picture
  }

  private var facts: [(label: String, words: String)] {
    [("format", reader.formatName)] + SoundReport(reader).facts
  }

  /// Returns the HTML page with a picture.
  func page(_ picture: Picture) -> ReportPage {
    var page = ReportPage(title: Plot.heading(options.path), picture: picture, theme: options.theme)
    page.facts = facts
    return page
  }
}
