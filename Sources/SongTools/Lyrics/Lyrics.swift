// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import CommandKit
internal import Downbeat
internal import MusicSequences
internal import PlayerControl

/// `downbeat lyrics`: the words of a song, as text or with their times.
package struct Lyrics: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    abstract: "Write the words of a song, plain or with their times.",
    discussion: """
      EXAMPLES:
        downbeat lyrics song.kar                     the words, line by line
        downbeat lyrics --lrc song.kar > song.lrc    for players that show words
        downbeat lyrics --srt song.mid > song.srt    subtitles
        downbeat lyrics --encoding cp1251 song.kar   where the guess is wrong

      Words are lyric events, or the texts of a Karaoke file. Their encoding is recognised by \
      all texts of the file: UTF-8, Windows-1252, 1250 and 1251, KOI8-R, Shift-JIS, EUC-JP, \
      EUC-KR, GBK, Big5 or DOS; --encoding takes any name that iconv knows. The exit status is \
      65 for a song without words.
      """)

  @Argument(help: "The song; - is standard input.", completion: .songs)
  package var file: String

  @Flag(help: "Write LRC: a time before each line.")
  package var lrc = false

  @Flag(help: "With --lrc, a time before each syllable too.")
  package var syllables = false

  @Flag(help: "Write SRT subtitles.")
  package var srt = false

  @Flag(help: "Write one JSON document: lines and syllables with their times.")
  package var json = false

  @Option(
    parsing: .unconditional,
    help: "Take the words of this track, from 1; without it of the one with the most.")
  package var track: Int?

  @OptionGroup package var song: SongOptions

  package func validate() throws {
    if [lrc, srt, json].count(where: \.self) > 1 {
      throw ValidationError("--lrc, --srt and --json: choose one")
    }
    if syllables && !lrc { throw ValidationError("--syllables goes with --lrc") }
    if let track, track < 1 { throw ValidationError("track \(track): tracks count from 1") }
  }

  package func run() throws {
    let song = try song.read(file)
    let decoder = TextDecoder(for: song.file.sequences)
    let sheet = try sheet(of: song, decoder)
    guard !sheet.lines.isEmpty else {
      throw Failure(
        .badData, "\(song.name): no lyrics in it (downbeat events --kind texts lists its texts)")
    }
    let form = LyricForm(sheet: sheet)
    try Terminal.output(
      json
        ? ["\(form.json(of: song.name, decoder))"]
        : lrc ? form.lrc(syllables: syllables) : srt ? form.srt : form.plain)
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
