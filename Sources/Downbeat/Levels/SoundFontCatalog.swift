// SPDX-License-Identifier: Apache-2.0
internal import SystemPackages
internal import WholeFiles

/// The General MIDI soundfonts that are known by name, the better before the worse.
public enum SoundFontCatalog {
  /// The file name of our own font.
  public static let own = "Downbeat.sf2"

  /// Names without their suffix, in order of preference.
  ///
  /// Sets of studio recordings come first, then what was thinned or compressed, then ours.
  public static let names = [
    "MuseScore_General", "MuseScore_General_HQ", "FluidR3_GM", "FluidR3_GM2-2", "GeneralUser-GS",
    "GeneralUser GS", "Arachno", "SGM-V2.01", "MuseScore_General_Lite", "FluidR3Mono_GM",
    "freepats-general-midi", "FreePatsGM", "TimGM6mb", "Downbeat", "sf_GMbank",
  ]

  /// The names that a system or a person gives to the font of their choice, in order.
  public static let choices = ["default.sf2", "default.sf3", "default-GM.sf3", "default-GM.sf2"]

  /// The place of a file name in the order of preference, 0 the best; nil for one that is unknown.
  ///
  /// What follows the known name, such as a version, does not count.
  public static func rank(of fileName: String) -> Int? {
    let stem = fileName.split(separator: ".").dropLast().joined(separator: ".")
    let exact = names.firstIndex(of: stem)
    // The longest name that fits: FluidR3_GM is not FluidR3_GM2-2.
    return exact
      ?? names.indices.filter { stem.hasPrefix(names[$0]) && !continues(stem, names[$0]) }
      .max { names[$0].utf8.count < names[$1].utf8.count }
  }

  /// About how many decibels louder than our own font a font plays songs; 3 where it is unknown.
  ///
  /// Of a link, the file that it leads to counts. Measured over General MIDI's programs.
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
