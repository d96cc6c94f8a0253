// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import FluidSynthInstruments

/// `downbeat soundfont info`: what a font says of itself.
struct SoundFontInfo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Show a soundfont's name, makers, licence and size.")

  @Argument(
    help: ArgumentHelp("Soundfonts; without them the one that is used.", valueName: "file"))
  var paths: [String] = []

  @Flag(help: "Write one JSON document for each file.")
  var json = false

  func run() throws {
    var tally = Tally()
    for path in paths.isEmpty ? [try SoundFontCommand.path(nil)] : paths {
      do {
        let report = SoundFontReport(try SoundFont(path: path))
        Terminal.output(json ? "\(report.json)" : report.text)
        tally.add(.success)
      } catch {
        Terminal.report("\(error)")
        tally.add(error.exitStatus)
      }
    }
    if tally.status != .success { throw tally.status }
  }
}
