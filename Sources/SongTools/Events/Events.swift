// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import CommandKit
internal import Downbeat
internal import MusicSequences

/// The command `downbeat events`, which lists the events of a MIDI file, or creates one from a
/// list.
package struct Events: ReportingCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "events",
    abstract: "List the events of a MIDI file, or create a MIDI file from a list.",
    discussion: """
      EXAMPLES:
        downbeat events song.mid                          print aligned columns
        downbeat events --kind tempo,marker song.mid      print only some kinds
        downbeat events --from 9.1.0 --to 17.1.0 --channel 10 song.mid
        downbeat events --csv song.mid > song.csv         write rows like midicsv
        downbeat events --import song.csv -o song.mid     create a MIDI file
        downbeat events --jsonl song.mid | jq 'select(.kind == "lyric").text'

      Events are listed in the order of the file, track by track. CSV has the same rows as the \
      output of midicsv. In JSON Lines, tracks, channels and programs are numbered from 0, as in \
      the file; in the text list, they are numbered from 1. CSV keeps the bytes of texts \
      unchanged, regardless of --encoding. CSV and JSON Lines can both be imported; the format is \
      detected from the first line.
      """)

  @Argument(help: "MIDI file to list; - reads standard input.", completion: .songs)
  package var file: String?

  @Flag(help: "Print rows in the format of midicsv.")
  package var csv = false

  @Flag(help: "Print one JSON document for each event.")
  package var jsonl = false

  @OptionGroup var filters: EventFilterOptions

  @OptionGroup var octaves: OctaveOption

  @Option(
    name: .customLong("import"), help: "Create a MIDI file from this list; - reads standard input.")
  package var list: String?

  @Option(name: [.short, .long], help: "With --import, MIDI file to write; - is standard output.")
  package var output: String?

  @Flag(help: "With --import, replace the file if it exists.")
  package var overwrite = false

  @OptionGroup package var song: SongOptions
  @OptionGroup package var report: JSONOption

  package var runs: Bool { false }
  package var reportedFile: String? { list }
  package var reportedOutput: String? { output }

  package func validate() throws {
    try report.check(output)
    guard !report.json || list != nil else {
      throw ValidationError("--json: applies only to --import (for events as JSON: --jsonl)")
    }
    if csv && jsonl { throw ValidationError("--csv and --jsonl cannot be used together") }
    if (file == nil) == (list == nil) {
      throw ValidationError("give either a file to list or --import LIST")
    }
    if list != nil, output == nil {
      throw ValidationError("--import: no output (add -o FILE)")
    }
    if list == nil, output != nil || overwrite {
      throw ValidationError(
        "-o and --overwrite apply only to --import (a list goes to standard output)")
    }
    _ = try filters.filter()
  }

  package func run() throws {
    if let list, let output {
      try EventImport(list: list, output: output, overwrite: overwrite).run()
    } else if let file {
      try write(song.read(file))
    }
  }

  private func write(_ song: Song) throws {
    let events: FileEvents
    do {
      events = try FileEvents(song.file)
    } catch {
      throw Failure(.badData, "\(song.name): \(error)")
    }
    if csv {
      try write(song, events, CSVForm(writer: CSVWriter(events)))
    } else if jsonl {
      let form = JSONForm(events: events, decoder: TextDecoder(for: song.file))
      try write(song, events, form)
    } else {
      let decoder = TextDecoder(for: song.file)
      try write(song, events, TextForm(events: events, keys: octaves.keys, decoder: decoder))
    }
    if song.status != .success { throw song.status }
  }

  private func write(_ song: Song, _ events: FileEvents, _ form: some EventForm) throws {
    let filter = try filters.filter()
    try EventListing(events: events, file: song.file, filter: filter, form: form).write()
  }
}
