// SPDX-License-Identifier: Apache-2.0
// Prints each syllable of a song when it is audible: karaoke SONG.mid FONT.sf2
import ALSAAudio
import Downbeat
import MusicSequences
import MusicalTime

func sing(_ path: String, with font: String) async throws {
  let file = try SMFReader().read(InputFile(path: path).bytes)
  let (song, decoder) = (file.sequences[0], TextDecoder(guessingFrom: file.sequences))
  let session = try Session(song, settings: SessionSettings(soundFont: font))
  let playback = try session.play(on: ALSAOutputUnit())
  for await event in playback.eventStream {
    switch event.kind {
    case .event(let told, _, _): show(told, decoder)
    case .finished: return try await playback.waitUntilFinished()
    default: break
    }
  }
}

func show(_ event: TrackEvent, _ decoder: TextDecoder) {
  guard case .meta(let meta) = event.content, meta.textType == .lyric else { return }
  let syllable = decoder.text(meta.bytes)
  // The text is from a file, so it must not send control characters to the terminal.
  print(syllable.filter { !$0.isNewline && $0 >= " " }, terminator: "\n")
}

let words = CommandLine.arguments.dropFirst()
if words.count == 2 {
  do {
    try await sing(words[1], with: words[2])
  } catch {
    print(error)
  }
} else {
  print("usage: karaoke SONG.mid FONT.sf2")
}
