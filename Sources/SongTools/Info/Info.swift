// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import CommandKit
package import CommandOptions
internal import MusicSequences

/// `downbeat info`: what MIDI files hold.
package struct Info: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    abstract: "Show what MIDI files hold.",
    discussion: """
      EXAMPLES:
        downbeat info song.mid              format, tracks, length, tempo …
        downbeat info --json *.mid          one JSON document a line
        curl -s URL | downbeat info -       from standard input

      It also shows what a song asks of a GS, XG or GM2 module: parameters of parts and drum \
      notes, and effects by name.

      Tracks, channels and programs count from 1 in text and from 0 in JSON. \
      A damaged file is read as far as it goes, and each repair is listed; the exit \
      status is then 3, and 65 with --strict.
      """)

  @Argument(help: "Files to look at; - is standard input.", completion: .songs)
  package var files: [String]

  @Flag(help: "Write one JSON document for each file.")
  package var json = false

  @OptionGroup var octaves: OctaveOption

  @OptionGroup package var texts: TextOptions

  @OptionGroup package var banks: BankModeOption

  @Flag(help: "Refuse a file that would need a repair.")
  var strict = false

  package func run() throws {
    try texts.apply()
    var tally = Tally()
    for file in files { tally.add(try show(file)) }
    if tally.status != .success { throw tally.status }
  }

  private func show(_ path: String) throws(Failure) -> ExitStatus {
    let report: InfoReport
    do {
      report = try InfoReport(
        Song(path: path, strict: strict, keepsSource: false), keys: octaves.keys,
        bankMode: banks.bankMode)
    } catch {
      return try refuse(path, error)
    }
    try Terminal.output(json ? ["\(report.json)"] : report.lines)
    return report.file.isRepaired ? .partial : .success
  }

  private func refuse(_ path: String, _ failure: Failure) throws(Failure) -> ExitStatus {
    Terminal.report(failure.description)
    if json { try Terminal.output("\(InfoReport.refusal(of: path, failure.description))") }
    return failure.exitStatus
  }
}
