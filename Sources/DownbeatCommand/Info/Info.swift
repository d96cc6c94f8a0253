// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Downbeat
internal import MusicSequences

/// `downbeat info`: what MIDI files hold.
struct Info: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows what MIDI files hold.",
    discussion: """
      EXAMPLES:
        downbeat info song.mid              format, tracks, length, tempo …
        downbeat info --json *.mid          one JSON document a line
        curl -s URL | downbeat info -       from standard input

      A damaged file is read as far as it goes, and each repair is listed; the exit \
      status is then 3, and 65 with --strict.
      """)

  @Argument(help: "Files to look at; - is standard input.")
  var files: [String]

  @Flag(help: "Write one JSON document for each file.")
  var json = false

  @Flag(help: "Refuse a file that would need a repair.")
  var strict = false

  func run() throws {
    var tally = Tally()
    for file in files { tally.add(try show(file)) }
    if tally.status != .success { throw tally.status }
  }

  private func show(_ path: String) throws(Failure) -> ExitStatus {
    let song: SongFile
    do {
      song = try SongFile(path: path)
    } catch {
      return try refuse(path, "\(error)", error.exitStatus)
    }
    return try show(song)
  }

  private func show(_ song: SongFile) throws(Failure) -> ExitStatus {
    let report: InfoReport
    do {
      let file = try SMFReader(strict: strict, keepsSource: false).read(song.bytes)
      report = try InfoReport(name: song.name, file: file)
    } catch {
      let failure = Failure.notSong(song.name, song.bytes, error)
      return try refuse(song.name, failure.description, failure.exitStatus)
    }
    try Terminal.output(json ? ["\(report.json)"] : report.lines)
    return report.file.isRepaired ? .partial : .success
  }

  private func refuse(
    _ name: String, _ sentence: String, _ status: ExitStatus
  ) throws(Failure) -> ExitStatus {
    Terminal.report(sentence)
    if json { try Terminal.output("\(InfoReport.refusal(of: name, sentence))") }
    return status
  }
}
