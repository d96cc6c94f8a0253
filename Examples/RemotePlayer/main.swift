// SPDX-License-Identifier: Apache-2.0
// Plays songs that other programs can control: remote-player FONT.sf2 SONG.mid...
// Then: downbeat ctl pause, downbeat ctl next, downbeat ctl status; or media keys.
import ALSAAudio
import Downbeat
import MusicSequences
import PlayerControl

func play(_ songs: SongQueue, with font: String) throws {
  let server = try ControlServer()
  while let song = songs.begin() {
    let sequence = try SMFReader().read(InputFile(path: song.path).bytes).sequences[0]
    let session = try Session(sequence, settings: SessionSettings(soundFont: font))
    let playback = try session.play(on: ALSAOutputUnit())
    try server.run(PlayControls(playback, session, songs: songs))
    songs.advance()
  }
}

let words = CommandLine.arguments.dropFirst()
if words.count < 2 {
  print("usage: remote-player FONT.sf2 SONG.mid...")
} else {
  do {
    try play(SongQueue(paths: Array(words.dropFirst())), with: words[1])
  } catch {
    print(error)
  }
}
