// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import Glibc
internal import JSONText
internal import MusicSequences
internal import PlayerControl
internal import SoundFontFiles
internal import SoundFontInstruments
internal import WholeFiles

/// The command `downbeat soundfont trim`, which writes a soundfont that contains only what songs
/// play.
struct SoundFontTrim: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "trim",
    abstract: "Write a smaller soundfont that contains only what songs play.",
    discussion: """
      The new soundfont contains the presets, key zones, velocity zones and samples that the songs \
      use. The songs sound exactly as with the whole soundfont, if they are not transposed and no \
      other --bank-mode is used. The texts of the soundfont are copied. Its licence also applies \
      to the new file, and may forbid sharing it.

      EXAMPLES:
        downbeat soundfont trim FluidR3_GM --song song.mid -o small.sf2
        downbeat soundfont trim Font.sf2 --song Album --song other.mid -o album.sf2
        downbeat soundfont trim --song song.mid -o small.sf3 --vorbis-quality 0.8

      See also: downbeat edit --embed, which writes a song together with its sounds.

      EXIT STATUS: 0 success, 1 the songs play nothing of the soundfont, 3 a song was repaired or \
      left out, 64 usage error, 66 song not found, 73 output not writable, 74 write error, 78 not \
      a soundfont.
      """)

  @Argument(
    help: ArgumentHelp(
      "Soundfont file or name. Default: the soundfont in use.", valueName: "font"),
    completion: .fonts)
  var font: String?

  @Option(
    help: "Song, folder or playlist; repeatable.", completion: .songs)
  var song: [String] = []

  @Option(name: [.short, .long], help: "Soundfont to write; - is standard output.")
  var output: String

  @Flag(help: "Replace OUT if it exists.")
  var overwrite = false

  @OptionGroup var banks: BankModeOption
  @OptionGroup var samples: VorbisOptions
  @OptionGroup var reading: SongOptions
  @OptionGroup var report: JSONOption

  var runs: Bool { false }
  var reportedFile: String? { font }
  var reportedOutput: String? { output }

  func validate() throws {
    try report.check(output)
    guard !song.isEmpty else {
      throw ValidationError("--song: name at least one song (--song song.mid)")
    }
    if let font, ListedFiles.songs.holds(font) {
      throw ValidationError("\(font): a song, not a soundfont (try --song \(font))")
    }
    if ListedFiles.songs.holds(output) {
      throw ValidationError(
        "\(output): the name of a song, but trim writes a soundfont (try downbeat edit --embed)")
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
    var use = try FontUse(of: [SoundFontLayer(font)], in: banks.bankMode)
    let tally = try add(to: &use)
    var document = try use.trimmed(layer: 0)
    guard !document.presets.isEmpty else {
      throw Failure(.failure, "\(path): the songs do not use any sound of this soundfont")
    }
    try samples.apply(to: &document, for: output)
    let fonts = FontOutput(document: document, fonts: [font])
    let writer = try fonts.writer()
    try target.write { sink in try writer.write(to: sink) }
    if !reading.quiet {
      fonts.tell(as: target.name, byteCount: writer.byteCount)
    }
    if report.json {
      var written = WrittenFile(output, from: path, kind: fonts.kind)
      fonts.add(to: &written)
      written.tell(tally.status)
    }
    if tally.status != .success { throw tally.status }
  }

  /// Adds the songs.
  ///
  /// A song that cannot be read is reported and omitted.
  private func add(to use: inout FontUse) throws -> Tally {
    let (entries, omitted) = try SongCollector(song).told()
    var tally = omitted
    var readCount = 0
    for entry in entries {
      do {
        let song = try reading.read(entry.path)
        try use.add(song.file.sequences)
        tally.add(song.status)
        readCount += 1
      } catch let failure as any FailureDescribing {
        let named = entry.failure(failure)
        guard entries.count > 1 else { throw named }
        Terminal.report("\(named)")
        JSONReport.refuse(named, file: entry.path, output: nil)
        tally.add(named.exitStatus)
      }
    }
    guard readCount > 0 else { throw tally.status }
    return tally
  }
}
