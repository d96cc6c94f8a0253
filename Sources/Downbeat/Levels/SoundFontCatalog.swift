// SPDX-License-Identifier: Apache-2.0
internal import SystemPackages
internal import WholeFiles

/// A list of General MIDI soundfonts, by file name, in order of preference.
public enum SoundFontCatalog {
  /// The file name of Downbeat's font.
  public static let own = "Downbeat.sf2"

  /// File names without suffix, in order of preference.
  ///
  /// Studio recordings are first, followed by reduced or compressed sets, Downbeat's font, and one
  /// more small set.
  public static let names = [
    "MuseScore_General", "MuseScore_General_HQ", "FluidR3_GM", "FluidR3_GM2-2", "GeneralUser-GS",
    "GeneralUser GS", "Arachno", "SGM-V2.01", "MuseScore_General_Lite", "FluidR3Mono_GM",
    "freepats-general-midi", "FreePatsGM", "TimGM6mb", "Downbeat", "sf_GMbank",
  ]

  /// The file names that mark a font as the default of the system or the user, in order of
  /// preference.
  public static let choices = ["default.sf2", "default.sf3", "default-GM.sf3", "default-GM.sf2"]

  /// Returns the index of a file name in the order of preference, 0 for the best; nil for an
  /// unknown name.
  ///
  /// Characters after a known name, such as a version, are ignored.
  public static func rank(of fileName: String) -> Int? {
    let stem = fileName.split(separator: ".").dropLast().joined(separator: ".")
    let exact = names.firstIndex(of: stem)
    // The longest matching name: FluidR3_GM is not FluidR3_GM2-2.
    return exact
      ?? names.indices.filter { stem.hasPrefix(names[$0]) && !continues(stem, names[$0]) }
      .max { names[$0].utf8.count < names[$1].utf8.count }
  }

  /// Returns the approximate level of a font in decibels relative to Downbeat's font; 3 for an
  /// unknown font.
  ///
  /// The font is recognised by the name of the file, after symbolic links are resolved. The levels
  /// are means over the programs of General MIDI.
  public static func loudness(ofFontAt path: String) -> Double {
    let name = FolderListing.realPath(of: path).split(separator: "/").last.map(String.init) ?? ""
    return loudness.first { name.hasPrefix($0.stem) }?.decibels ?? 3
  }

  private static let loudness: [(stem: String, decibels: Double)] = [
    ("Downbeat", 0), ("TimGM6mb", 2), ("FluidR3", 4),
  ]

  private static func continues(_ stem: String, _ name: String) -> Bool {
    stem.dropFirst(name.count).first?.isLetter ?? false
  }

  /// The command that installs a font on the running distribution.
  public static let remedy = SystemPackage.soundFont.installation()
}
