// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser

/// `downbeat sound`: everything about sound files.
package struct Sound: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    abstract: "Play, record, inspect, convert, cut and join sound files.",
    discussion: """
      A kit of clips maps notes to sound files that replace the synthesiser (play and render with \
      --clips KIT.json). File names are relative to the folder of the kit. A file used by several \
      pads is loaded once; all files together can use up to 512 MB. A key is a number, a note \
      ("C2") or a General MIDI drum:

        {"pads":[{"key":36,"file":"kick.wav"},
                 {"key":"snare","file":"snare.wav","channel":10,"gain":0.8,"pan":-0.2}]}
      """,
    subcommands: [
      SoundPlay.self, SoundAlert.self, SoundRecord.self, SoundInfo.self, SoundConvert.self,
      SoundCut.self, SoundJoin.self, SoundFormats.self,
    ])
}
