// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import CommandKit
internal import Downbeat
internal import MusicSequences

/// `downbeat events`: every event of a file as a list, and a list back into a file.
package struct Events: ReportingCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    abstract: "List the events of a MIDI file, or make a file of a list.",
    discussion: """
      EXAMPLES:
        downbeat events song.mid                          aligned columns to read
        downbeat events --kind tempo,marker song.mid      only some kinds
        downbeat events --from 9.1.0 --to 17.1.0 --channel 10 song.mid
        downbeat events --csv song.mid > song.csv         midicsv's columns
        downbeat events --import song.csv -o song.mid     and back
        downbeat events --jsonl song.mid | jq 'select(.kind == "lyric").text'

      Events are those of the file, in its order, track by track. CSV rows are the ones \
      midicsv writes. JSON Lines count tracks, channels and programs from 0, as the file does; the \
      list to read counts them from 1. CSV keeps the bytes of texts, whatever --encoding says. \
      Both CSV and JSON Lines can be imported: the first line tells which it is.
      """)

  @Argument(help: "The file to list; - is standard input.", completion: .songs)
  package var file: String?

  @Flag(help: "Write rows in midicsv's columns.")
  package var csv = false

  @Flag(help: "Write one JSON document for each event.")
  package var jsonl = false

  @OptionGroup var filters: EventFilterOptions

  @OptionGroup var octaves: OctaveOption

  @Option(name: .customLong("import"), help: "Make a MIDI file of this list; - is standard input.")
  package var list: String?

  @Option(name: [.short, .long], help: "With --import, the file to write; - is standard output.")
  package var output: String?

  @Flag(help: "With --import, replace a file that is there already.")
  package var overwrite = false

  @OptionGroup package var song: SongOptions
  @OptionGroup package var report: JSONOption

  package var runs: Bool { false }
  package var reportedFile: String? { list }
  package var reportedOutput: String? { output }

  package func validate() throws {
    try report.check(output)
    guard !report.json || list != nil else {
      throw ValidationError("--json goes with --import; the events as JSON are --jsonl")
    }
    if csv && jsonl { throw ValidationError("--csv and --jsonl: choose one") }
    if (file == nil) == (list == nil) {
      throw ValidationError("name one file to list, or one list with --import")
    }
    if list != nil, output == nil {
      throw ValidationError("--import needs -o, the MIDI file to write")
    }
    if list == nil, output != nil || overwrite {
      throw ValidationError("-o and --overwrite go with --import; a list goes to standard output")
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
      let form = JSONForm(events: events, decoder: TextDecoder(for: song.file.sequences))
      try write(song, events, form)
    } else {
      let decoder = TextDecoder(for: song.file.sequences)
      try write(song, events, TextForm(events: events, keys: octaves.keys, decoder: decoder))
    }
    if song.status != .success { throw song.status }
  }

  private func write(_ song: Song, _ events: FileEvents, _ form: some EventForm) throws {
    let filter = try filters.filter()
    try EventListing(events: events, file: song.file, filter: filter, form: form).write()
  }
}
