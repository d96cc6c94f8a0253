// SPDX-License-Identifier: Apache-2.0
// Renders each channel of a song to a separate file: stem-renderer SONG.mid FONT.sf2
import AudioFiles
import Downbeat
import MusicSequences
import MusicalTime

func render(_ path: String, with font: String) throws {
  let song = try SMFReader().read(InputFile(path: path).bytes).sequences[0]
  let settings = SessionSettings(soundFont: font, rate: .hertz44100)
  let renderer = try StemRenderer(song, by: .channel, settings: settings)
  let format = try SoundFileFormat(.wav)
  let writers = try renderer.stems.indices.map { index in
    try SoundFileWriter(path: "stem-\(index + 1).wav", format: format, rate: settings.rate)
  }
  try renderer.render { stem, samples, _ in
    try writers[stem].write(samples)
    return true
  }
  for (stem, writer) in zip(renderer.stems, writers) {
    try writer.finish()
    print(writer.path, stem.source)
  }
}

let words = CommandLine.arguments.dropFirst()
if words.count == 2 {
  do {
    try render(words[1], with: words[2])
  } catch {
    print(error)
  }
} else {
  print("usage: stem-renderer SONG.mid FONT.sf2")
}
