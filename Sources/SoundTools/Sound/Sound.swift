// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser

/// `downbeat sound`: everything about sound files.
package struct Sound: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    abstract: "Play, record, inspect, convert, cut and join sound files.",
    discussion: """
      A kit of clips, for downbeat play and render with --clips KIT.json, names the files that \
      notes start in place of the synthesiser. Their names count from the kit's own folder. \
      A file that several pads name is in memory once; all files together may take 512 MB. \
      A key is a number, a note ("C2") or a drum of General MIDI:

        {"pads":[{"key":36,"file":"kick.wav"},
                 {"key":"snare","file":"snare.wav","channel":10,"gain":0.8,"pan":-0.2}]}
      """,
    subcommands: [
      SoundPlay.self, SoundAlert.self, SoundRecord.self, SoundInfo.self, SoundConvert.self,
      SoundCut.self, SoundJoin.self, SoundFormats.self,
    ])
}
