// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser

/// `downbeat soundfont`: the fonts there are, and what is in them.
package struct SoundFontCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "soundfont",
    abstract: "Show, check and try soundfonts.",
    discussion: """
      EXAMPLES:
        downbeat soundfont which                    the one that is used, and why
        downbeat soundfont list                     all that are installed
        downbeat soundfont presets Font.sf2         its programs
        downbeat soundfont check *.sf2              whether they are whole
        downbeat soundfont check --song song.mid    what it plays that the font lacks
        downbeat soundfont demo --program 41        hear one
      """,
    subcommands: [
      SoundFontList.self, SoundFontWhich.self, SoundFontPresets.self, SoundFontInfo.self,
      SoundFontCheck.self, SoundFontDemo.self,
    ])
}
