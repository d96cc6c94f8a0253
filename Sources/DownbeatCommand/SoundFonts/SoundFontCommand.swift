// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Downbeat

/// `downbeat soundfont`: the fonts there are, and what is in them.
struct SoundFontCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "soundfont",
    abstract: "Show, check and try soundfonts.",
    discussion: """
      EXAMPLES:
        downbeat soundfont which                    the one that is used, and why
        downbeat soundfont list                     all that are installed
        downbeat soundfont presets Font.sf2         its programs
        downbeat soundfont check *.sf2              whether they are whole
        downbeat soundfont check --song song.mid    what the song plays and the font lacks
        downbeat soundfont demo --program 41        hear one
      """,
    subcommands: [
      SoundFontList.self, SoundFontWhich.self, SoundFontPresets.self, SoundFontInfo.self,
      SoundFontCheck.self, SoundFontDemo.self,
    ])
}

extension SoundFontCommand {
  /// The search with this process's variables.
  static var discovery: SoundFontDiscovery {
    SoundFontDiscovery(environment: Environment.variables, executable: Environment.executable)
  }

  /// The font named, or the one that is found.
  static func path(_ named: String?) throws -> String {
    if let path = named ?? discovery.find() { return path }
    throw Failure(
      .noSoundFont,
      "no soundfont found: name one with --soundfont FILE (\(SoundFontCatalog.remedy))")
  }
}
