// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
internal import CairoPictures
package import CommandKit
package import CommandOptions
internal import Downbeat
internal import JSONText
internal import MusicSequences
internal import SongPictures

/// The command `downbeat plot`, which draws a song or a sound file.
package struct Plot: ReportingCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "plot", abstract: "Draw a song (notes, dynamics, tempo, sound) or a sound file.",
    discussion: """
      The suffix of OUT selects the format: svg, png (with libcairo), or html (a page with the \
      picture and what `info` prints). For a sound file, the waveform, spectrum and loudness are \
      drawn. Documentation/Pictures.md describes the pictures.

      Details too fine for the width are merged, so a picture of a million notes is as small as \
      one of a thousand. Use --from, --to and --width to see more detail.

      EXAMPLES:
        downbeat plot song.mid -o song.svg
        downbeat plot song.mid -o song.png --from @chorus --to 2:30 --solo 1,2
        downbeat plot song.mid -o song.html --audio       write a report with sound
        downbeat plot take.wav -o take.png --theme dark
      """)

  @Argument(
    help: ArgumentHelp(
      "MIDI or sound file; - reads a MIDI file from standard input.",
      valueName: "file"),
    completion: .songs)
  package var path: String

  @Option(name: [.short, .long], help: "File to write; - is standard output.")
  package var output: String

  @Option(help: "Format, regardless of the suffix: svg, png or html.")
  package var format: PlotForm?

  @Flag(help: "Also draw waveform, spectrum and loudness of the rendered song.")
  package var audio = false

  @Option(parsing: .unconditional, help: "Width in pixels, 320…8192.")
  package var width = SongPicture.usualWidth

  @Option(
    parsing: .unconditional,
    help: "Height in pixels, 320…8192. Default: the height that the picture needs.")
  var height: Int?

  @Option(help: "Colours: light, dark, or auto (follows the viewer's screen; light in PNG).")
  var theme = PictureTheme.auto

  @Flag(help: "Replace OUT if it exists.")
  package var overwrite = false

  @OptionGroup(title: "Part to draw") package var flags: PartFlags
  @OptionGroup var octaves: OctaveOption
  @OptionGroup(title: "Sound, with --audio") package var sound: SoundOptions
  @OptionGroup package var reading: SongOptions
  @OptionGroup package var report: JSONOption

  package var runs: Bool { false }
  package var reportedFile: String? { path }
  package var reportedOutput: String? { output }

  package func validate() throws {
    try report.check(output)
    guard SongPicture.sizes.contains(width) else {
      throw ValidationError("--width \(width): not in 320…8192 pixels")
    }
    if let height, !SongPicture.sizes.contains(height) {
      throw ValidationError("--height \(height): not in 320…8192 pixels")
    }
    _ = try form()
  }

  package func run() throws {
    let form = try form()
    let target = try OutputFile(named: output, overwrite: overwrite)
    if PlottedSound.isSound(path) {
      let file = try PlottedSound(path, self)
      return try write(file.picture(), file.page, form, to: target).tell()
    }
    let song = try reading.read(path)
    // A plug-in may crash or hang when it is freed. Therefore it is freed after the file is
    // complete.
    let held = HeldUnits()
    let job = ForcedEnd.Job()
    defer {
      job.end()
      held.units = nil
    }
    let plotted = try PlottedSong(song, self, held: held)
    var written = try write(
      plotted.picture(isHeaded: form != .html), plotted.page, form, to: target)
    job.done(())
    written.add(repairsOf: song.file)
    written.tell(song.status)
    if song.status != .success { throw song.status }
  }

  /// Returns the heading of a picture whose content is unnamed: the file name without the folder.
  static func heading(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  private func form() throws -> PlotForm {
    guard let form = format ?? PlotForm(path: output) else {
      throw ValidationError(
        "-o \(output): unknown format (use .svg, .png or .html, or add --format)")
    }
    return form
  }

  /// Writes a picture, and returns the report on the file.
  private func write(
    _ picture: SongPicture, _ page: (Picture) throws -> ReportPage, _ form: PlotForm,
    to target: OutputFile
  ) throws -> WrittenFile {
    if let height, height < picture.leastHeight {
      throw FlagText("--height", "\(height)")
        .failure("the picture needs at least \(picture.leastHeight) pixels")
    }
    let drawing = picture.draw()
    let bytes =
      switch form {
      case .svg: SVGWriter.document(drawing, theme: theme)
      case .png: try PNGWriter.document(drawing, theme.fixed)
      case .html: try page(drawing).document
      }
    try target.write(bytes)
    var written = WrittenFile(output, from: path, kind: form.rawValue)
    written.add("width", .integer(Int(drawing.width)))
    written.add("height", .integer(Int(drawing.height)))
    return written
  }
}
