// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser

/// The command `downbeat soundfont`, with subcommands that list, show, check, convert and play
/// soundfonts.
package struct SoundFontCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "soundfont",
    abstract: "List, show, check, trim, convert and play soundfonts.",
    discussion: """
      EXAMPLES:
        downbeat soundfont which                    show the default soundfont
        downbeat soundfont list                     list all that are installed
        downbeat soundfont presets Font.sf2         list its programs
        downbeat soundfont check *.sf2              find faults
        downbeat soundfont check --song song.mid    find notes that the font lacks
        downbeat soundfont demo --program 41        play one program
        downbeat soundfont convert gm.dls -o gm.sf2 convert to SF2 or SF3
        downbeat soundfont trim --song song.mid -o small.sf2
                                                    keep only what a song plays
      """,
    subcommands: [
      SoundFontList.self, SoundFontWhich.self, SoundFontPresets.self, SoundFontInfo.self,
      SoundFontCheck.self, SoundFontDemo.self, SoundFontTrim.self,
      SoundFontConvert.self,
    ])
}
