// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import Glibc
internal import PlayerControl
internal import SoundFontFiles
internal import SoundFontInstruments

/// The command `downbeat soundfont convert`, which writes a soundfont as SF2 or SF3.
struct SoundFontConvert: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Convert a soundfont: DLS to SF2, SF2 or DLS to SF3.",
    discussion: """
      The name of the output selects the format: .sf2 stores the samples as they are, .sf3 \
      compresses them as Ogg Vorbis. SF3 cannot be converted to SF2.

      EXAMPLES:
        downbeat soundfont convert gm.dls -o gm.sf2
        downbeat soundfont convert FluidR3_GM -o FluidR3_GM.sf3
        downbeat soundfont convert Font.sf2 -o Font.sf3 --vorbis-quality 0.9
      """)

  @Argument(
    help: ArgumentHelp(
      "Soundfont file or name. Default: the soundfont in use.", valueName: "font"),
    completion: .fonts)
  var font: String?

  @Option(name: [.short, .long], help: "File to write, .sf2 or .sf3; - is standard output.")
  var output: String

  @Flag(help: "Replace OUT if it exists.")
  var overwrite = false

  @Flag(name: [.short, .long], help: "Print only errors.")
  var quiet = false

  @OptionGroup var samples: VorbisOptions
  @OptionGroup var report: JSONOption

  var runs: Bool { false }
  var reportedFile: String? { font }
  var reportedOutput: String? { output }

  func validate() throws {
    try report.check(output)
    let name = output.lowercased()
    guard output == "-" || name.hasSuffix(".sf2") || name.hasSuffix(".sf3") else {
      throw ValidationError("\(output): must end with .sf2 or .sf3 (try -o \(output).sf2)")
    }
  }

  func run() throws {
    // The signal for a file that exceeds the size limit is ignored, so that the write error is
    // reported.
    signal(SIGXFSZ, SIG_IGN)
    let path = try FontSearch.path(font)
    try FontOutput.refuse(output, thatIs: path)
    let target = try OutputFile(named: output, overwrite: overwrite)
    let font = try SoundFont(path: path)
    var document = try font.document
    try samples.apply(to: &document, for: output)
    let fonts = FontOutput(document: document, fonts: [font])
    let writer = try fonts.writer()
    try target.write { sink in try writer.write(to: sink) }
    if !quiet { fonts.tell(as: target.name, byteCount: writer.byteCount) }
    guard report.json else { return }
    var written = WrittenFile(output, from: path, kind: fonts.kind)
    fonts.add(to: &written)
    written.tell()
  }
}
