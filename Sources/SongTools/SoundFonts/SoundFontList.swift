// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import FileNames
internal import Glibc
internal import JSONText
internal import SoundFontInstruments

/// The command `downbeat soundfont list`, which lists the soundfonts in folders.
struct SoundFontList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List soundfonts, the preferred one first.",
    discussion: """
      Without FOLDER, the usual soundfont folders of the system are searched. Files that are not \
      soundfonts are reported on standard error, and the exit status is then 3.
      """)

  @Argument(help: ArgumentHelp("Folders to search.", valueName: "folder"), completion: .directory)
  var folders: [String] = []

  @Flag(help: "Print one JSON document.")
  var json = false

  func run() throws {
    var tally = Tally()
    var reports: [SoundFontReport] = []
    for path in try paths() {
      do {
        reports.append(SoundFontReport(try SoundFont(path: path)))
        tally.add(.success)
      } catch {
        Terminal.report("\(error)")
        tally.add(error.exitStatus)
      }
    }
    if json {
      let fonts = JSONValue.array(reports.map(\.json))
      try Terminal.output(
        JSONValue.object([("v", 1), ("type", "soundfonts"), ("fonts", fonts)]))
    } else {
      try Terminal.output(reports.map(\.line))
    }
    if tally.status != .success { throw tally.status }
  }

  private func paths() throws -> [String] {
    guard !folders.isEmpty else { return FontSearch.discovery.fonts() }
    return try folders.flatMap { folder in
      guard let files = SoundFontDiscovery.files(in: folder) else {
        let isDenied =
          folder.withSystemPath { unsafe access($0, R_OK | X_OK) } != 0 && errno == EACCES
        throw Failure(
          isDenied ? .noPermission : .noInput, "\(folder): not a readable folder")
      }
      return files
    }
  }
}
