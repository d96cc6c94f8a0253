// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit
internal import CommandOptions
internal import SoundFontInstruments

/// The command `downbeat soundfont info`, which shows the texts, format and size of soundfonts.
struct SoundFontInfo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Show a soundfont's name, authors, licence and size.")

  @Argument(
    help: ArgumentHelp("Soundfonts. Default: the soundfont in use.", valueName: "file"),
    completion: .fonts)
  var paths: [String] = []

  @Flag(help: "Print one JSON document for each file.")
  var json = false

  func run() throws {
    var tally = Tally()
    for path in paths.isEmpty ? [nil] : paths.map(Optional.some) {
      do {
        tally.add(try show(FontSearch.path(path)))
      } catch let failure as Failure where failure.exitStatus == .noSoundFont {
        Terminal.report("\(failure)")
        tally.add(failure.exitStatus)
      }
    }
    if tally.status != .success { throw tally.status }
  }

  private func show(_ path: String) throws(Failure) -> ExitStatus {
    let report: SoundFontReport
    do {
      report = SoundFontReport(try SoundFont(path: path))
    } catch {
      Terminal.report("\(error)")
      return error.exitStatus
    }
    if json { try Terminal.output(report.json) } else { try Terminal.output(report.lines) }
    return .success
  }
}
