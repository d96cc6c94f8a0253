// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import CommandKit
internal import Downbeat
internal import MusicSequences
internal import PlayerControl

/// The command `downbeat lyrics`, which prints the lyrics of a song, as text or with their times.
package struct Lyrics: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "lyrics", abstract: "Print the lyrics of a song, plain or with times.",
    discussion: """
      EXAMPLES:
        downbeat lyrics song.kar                     print the lyrics line by line
        downbeat lyrics --lrc song.kar > song.lrc    write times for players
        downbeat lyrics --srt song.mid > song.srt    write subtitles
        downbeat lyrics --encoding cp1251 song.kar   if the guess is wrong

      The lyrics are lyric events, or the texts of a karaoke file. The encoding of the lyrics is \
      detected from all texts of the file: UTF-8, Windows-1252, 1250 and 1251, KOI8-R, Shift-JIS, \
      EUC-JP, EUC-KR, GBK, Big5 or DOS. --encoding accepts any name that iconv knows. The exit \
      status is 65 for a song without lyrics.
      """)

  @Argument(help: "MIDI file; - reads standard input.", completion: .songs)
  package var file: String

  @Flag(help: "Print LRC: a time before each line.")
  package var lrc = false

  @Flag(help: "With --lrc, also print a time before each syllable.")
  package var syllables = false

  @Flag(help: "Print SRT subtitles.")
  package var srt = false

  @Flag(help: "Print one JSON document: lines and syllables with times.")
  package var json = false

  @Option(
    parsing: .unconditional,
    help: "Use the lyrics of this track, numbered from 1. Default: the track with the most lyrics.")
  package var track: Int?

  @OptionGroup package var song: SongOptions

  package func validate() throws {
    if [lrc, srt, json].count(where: \.self) > 1 {
      throw ValidationError("--lrc, --srt and --json cannot be used together")
    }
    if syllables && !lrc { throw ValidationError("--syllables: applies only to --lrc (add --lrc)") }
    if let track, track < 1 {
      throw ValidationError("--track \(track): tracks are numbered from 1")
    }
  }

  package func run() throws {
    let song = try song.read(file)
    let decoder = TextDecoder(for: song.file)
    let sheet = try sheet(of: song, decoder)
    guard !sheet.lines.isEmpty else {
      throw Failure(
        .badData, "\(song.name): contains no lyrics (downbeat events --kind texts lists its texts)")
    }
    let form = LyricForm(sheet: sheet)
    if json {
      try Terminal.output(form.json(of: song.name, decoder))
    } else {
      try Terminal.output(
        data: lrc ? form.lrc(syllables: syllables) : srt ? form.srt : form.plain)
    }
    if song.status != .success { throw song.status }
  }

  private func sheet(of song: Song, _ decoder: TextDecoder) throws -> LyricSheet {
    do {
      return try LyricSheet(of: song.file, track: track.map { $0 - 1 }, decoder)
    } catch let error as SequenceError {
      throw Failure(.badData, "\(song.name): \(error)")
    }
  }
}
