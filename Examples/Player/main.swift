// SPDX-License-Identifier: Apache-2.0
// Plays a song through a soundfont: player SONG.mid FONT.sf2
import ALSAAudio
import ClockService
import Downbeat
import MusicSequences
import MusicalTime

func play(_ path: String, with font: String) async throws {
  let song = try SMFReader().read(InputFile(path: path).bytes).sequences[0]
  let session = try Session(song, settings: SessionSettings(soundFont: font))
  let playback = try session.play(on: ALSAOutputUnit())
  try playback.setPlayRate(1.25)
  try await playback.locate(to: "2|1").effect()
  print("at", try playback.ticks(), "ticks, play rate \(playback.playRate)")
  try await playback.waitUntilFinished()
}

let words = CommandLine.arguments.dropFirst()
if words.count == 2 {
  do {
    try await play(words[1], with: words[2])
  } catch {
    print(error)
  }
} else {
  print("usage: player SONG.mid FONT.sf2")
}
