// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import CommandKit
package import CommandOptions
internal import Downbeat
internal import MusicSequences
internal import PlayerControl
internal import SMFInterop
internal import SoundFontInstruments

/// The command `downbeat check`, which checks whether other players can read a file.
package struct Check: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check MIDI files for damage and portability problems.",
    discussion: """
      EXAMPLES:
        downbeat check song.mid                 print repairs and remarks
        downbeat check Songs                    check all songs in a folder
        downbeat check --strict *.mid           exit with status 65 on repairs
        downbeat check --with-libsmf song.mid   compare with libsmf
        downbeat check --json song.mid          print one JSON document for each file
        downbeat check -s FluidR3_GM song.mid   print notes that the font cannot play

      GS and XG effects and parameters that a song requests, but Downbeat does not play, are also \
      listed; they do not change the exit status.

      A repair means that the file is damaged and Downbeat had to guess its meaning. A remark \
      means that the data are valid, but some programs are known to fail on them.

      EXIT STATUS: 0 no problems, 3 repairs were needed (or libsmf reads the file differently, or \
      the soundfont cannot play some notes), 65 file not usable (with --strict, also if it needs \
      repairs), 66 no such file. For several files, the highest of these applies.
      """)

  @Argument(
    help: "MIDI files, folders and playlists; - reads standard input.", completion: .songLists)
  package var files: [String]

  @Flag(help: "Exit with status 65 if a file needs repairs.")
  var strict = false

  @Flag(help: "Also read each file with libsmf, and compare its events, tempos and length.")
  var withLibsmf = false

  @Flag(help: "Print one JSON document for each file.")
  package var json = false

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "Report the notes that a soundfont cannot play. Repeatable: each program is played by"
        + " the first font that has it.", valueName: "file"), completion: .fonts,
    transform: { try FontChoice(parsing: $0) })
  package var soundfont: [FontChoice] = []

  @OptionGroup package var banks: BankModeOption

  @OptionGroup package var texts: TextOptions

  package func run() throws {
    try texts.apply()
    let reader = try withLibsmf ? reference() : nil
    let bank = try soundfont.isEmpty ? nil : FontBank(soundfont.map { try $0.layer() })
    var worst = ExitStatus.success
    let songs = SongCollector(files)
    try songs.forEachOmission { worst = max(worst, try refuse($0.path, $0.failure)) }
    for song in songs.songs { worst = max(worst, try check(song, reader, bank)) }
    if worst != .success { throw worst }
  }

  private func reference() throws(Failure) -> ReferenceReader {
    do {
      return try ReferenceReader(besides: Environment.executable)
    } catch {
      throw Failure(.noDevice, "\(error)")
    }
  }

  private func check(
    _ entry: SongEntry, _ reader: ReferenceReader?, _ bank: FontBank?
  ) throws(Failure) -> ExitStatus {
    let report: CheckReport
    do {
      report = try self.report(on: Song(path: entry.path), reader, bank)
    } catch {
      if error.exitStatus == .noDevice { throw error }
      return try refuse(entry.path, entry.failure(error))
    }
    if json { try Terminal.output(report.json) } else { try Terminal.output(report.lines) }
    return strict && report.isFaulty ? .badData : report.status
  }

  private func refuse(_ path: String, _ failure: Failure) throws(Failure) -> ExitStatus {
    Terminal.report(failure.description)
    if json { try Terminal.output(CheckReport.refusal(of: path, failure.description)) }
    return failure.exitStatus
  }

  private func report(
    on song: Song, _ reader: ReferenceReader?, _ bank: FontBank?
  ) throws(Failure) -> CheckReport {
    do {
      return try CheckReport(
        name: song.name, file: song.file, decoder: TextDecoder(for: song.file),
        remarks: try PortabilitySurvey.remarks(on: song.file, song.bytes),
        opinion: try reader?.opinion(on: song.bytes, against: song.file),
        fit: bank.map { try FontFit(song.file.sequences, with: $0, in: banks.bankMode) },
        requests: SongRequests(song.file.sequences), wrapper: WrapperReport(song))
    } catch let error as InteropError {
      throw Failure(.noDevice, "\(error)")
    } catch let error as InstrumentError {
      throw Failure(error.exitStatus, "\(error)")
    } catch {
      throw Failure.notSong(song.name, path: song.path, song.bytes, error)
    }
  }
}
