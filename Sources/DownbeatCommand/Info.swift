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
    for file in files { tally.add(show(file)) }
    if tally.status != .success { throw tally.status }
  }

  private func show(_ path: String) -> ExitStatus {
    do {
      return show(try SongFile(path: path))
    } catch {
      return refuse(path, "\(error)", .noInput)
    }
  }

  private func show(_ song: SongFile) -> ExitStatus {
    do {
      let file = try SMFReader(strict: strict, keepsSource: false).read(song.bytes)
      let report = try InfoReport(name: song.name, file: file)
      Terminal.output(json ? "\(report.json)" : report.text)
      return file.isRepaired ? .partial : .success
    } catch {
      return refuse(song.name, "\(song.name): \(error)", .badData)
    }
  }

  private func refuse(_ name: String, _ sentence: String, _ status: ExitStatus) -> ExitStatus {
    Terminal.report(sentence)
    if json { Terminal.output("\(InfoReport.refusal(of: name, sentence))") }
    return status
  }
}
