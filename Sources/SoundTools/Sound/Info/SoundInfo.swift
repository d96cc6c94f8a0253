// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import AudioFiles
internal import CommandKit
internal import CommandOptions
internal import Glibc

/// `downbeat sound info`: what sound files hold.
struct SoundInfo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Show the format, length, tags and loops of sound files.",
    discussion: """
      EXAMPLES:
        downbeat sound info kick.wav          format, rate, length, tags, loops
        downbeat sound info --json *.flac     one JSON document per line
        downbeat sound info --loudness *.m4a  measure loudness too (slower)
      """)

  @Argument(help: "Sound files; - reads standard input.", completion: .sounds)
  var files: [String]

  @Flag(help: "Print one JSON document for each file.")
  var json = false

  @Flag(help: "Measure loudness (ITU-R BS.1770-4) and peaks.")
  var loudness = false

  func run() throws {
    var tally = Tally()
    for file in files { tally.add(try show(file)) }
    if tally.status != .success { throw tally.status }
  }

  private func show(_ path: String) throws(Failure) -> ExitStatus {
    let reader: SoundFileReader
    let measured: LoudnessFacts?
    do {
      reader = try SoundSource(path).open()
      reader.lookForEnd()
      measured = loudness ? try LoudnessFacts(reader) : nil
    } catch {
      Terminal.report("\(error)")
      if json { try Terminal.output(SoundReport.refusal(of: path, "\(error)")) }
      return error.exitStatus
    }
    let report = SoundReport(reader, loudness: measured)
    if json { try Terminal.output(report.json) } else { try Terminal.output(report.lines) }
    guard let shortfall = reader.shortfall else { return .success }
    Terminal.report("\(reader.path): \(shortfall)")
    return .partial
  }
}
