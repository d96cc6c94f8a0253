// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser

/// The command `downbeat sound`, with subcommands that play, record, show, convert, cut and join
/// sound files.
package struct Sound: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "sound", abstract: "Play, record, inspect, convert, cut and join sound files.",
    discussion: """
      Sound files are WAV, FLAC, Ogg, MP3, AIFF and others (downbeat sound formats). Songs are MIDI \
      files: downbeat play plays them, and downbeat render makes sound files of them.

      EXAMPLES:
        downbeat sound play intro.wav song.flac      play files without a gap
        downbeat sound info song.flac                show format, length and tags
        downbeat sound convert song.wav -o song.mp3  convert to another format

      KITS: with --clips KIT.json, `play` and `render` play sound files in place of soundfont \
      notes. File names are relative to the folder of the kit. A key is a number, a note ("C2") or \
      a General MIDI drum. All files of a kit together can use up to 512 MB of memory.

        {"pads": [{"key": 36, "file": "kick.wav"},
          {"key": "snare", "file": "snare.wav", "channel": 10, "gain": 0.8}]}
      """,
    subcommands: [
      SoundPlay.self, SoundAlert.self, SoundRecord.self, SoundInfo.self, SoundConvert.self,
      SoundCut.self, SoundJoin.self, SoundFormats.self,
    ])
}
