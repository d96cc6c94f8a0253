// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import CommandKit
package import CommandOptions
internal import MusicSequences
internal import PlayerControl

/// The command `downbeat info`, which shows the contents of MIDI files.
package struct Info: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Show what MIDI files contain.",
    discussion: """
      EXAMPLES:
        downbeat info song.mid              format, tracks, length, tempo …
        downbeat info Songs                 all songs in a folder
        downbeat info --json *.mid          one JSON document per line
        curl -s URL | downbeat info -       read standard input

      Also shows the effects, and the parameters of parts and drum notes, that a song requests \
      from a GS, XG or GM2 module.

      For an RMID file, its title, artist, bank and other contents are shown, too.

      Tracks, channels and programs are numbered from 1 in text and from 0 in JSON. A damaged file \
      is read as far as possible, and each repair is listed; the exit status is then 3, or 65 with \
      --strict.
      """)

  @Argument(
    help: "MIDI files, folders and playlists; - reads standard input.", completion: .songLists)
  package var files: [String]

  @Flag(help: "Print one JSON document for each file.")
  package var json = false

  @OptionGroup var octaves: OctaveOption

  @OptionGroup package var texts: TextOptions

  @OptionGroup package var banks: BankModeOption

  @Flag(help: "Fail on files that need repairs.")
  var strict = false

  package func run() throws {
    try texts.apply()
    let songs = SongCollector(files)
    var tally = Tally()
    try songs.forEachOmission { tally.add(try refuse($0.path, $0.failure)) }
    for song in songs.songs { tally.add(try show(song)) }
    if tally.status != .success { throw tally.status }
  }

  private func show(_ entry: SongEntry) throws(Failure) -> ExitStatus {
    let report: InfoReport
    do {
      report = try InfoReport(
        Song(path: entry.path, strict: strict, keepsSource: false), keys: octaves.keys,
        bankMode: banks.bankMode)
    } catch {
      return try refuse(entry.path, entry.failure(error))
    }
    if json {
      try Terminal.output(report.json)
    } else {
      try Terminal.output(BrokenLines.fitted(report.lines))
    }
    return report.file.isRepaired || report.wrapper?.flaw != nil ? .partial : .success
  }

  private func refuse(_ path: String, _ failure: Failure) throws(Failure) -> ExitStatus {
    Terminal.report(failure.description)
    if json { try Terminal.output(InfoReport.refusal(of: path, failure.description)) }
    return failure.exitStatus
  }
}
