// SPDX-License-Identifier: Apache-2.0

/// Finds the soundfont to play with, where the user names none.
///
/// The order: the environment, then the folders in which systems keep soundfonts, then our own
/// font beside the command. It looks at nothing but names here; what a file holds is judged when
/// it is opened.
public struct SoundFontDiscovery: Sendable {
  /// The variables that name a soundfont, in order.
  public static let variables = [
    "DOWNBEAT_SOUNDFONT", "SDL_SOUNDFONTS", "SOUND_FONT", "SOUNDFONT",
  ]

  /// The file names looked for in each folder, in order: the system's choice, then known GM sets.
  public static let names = [
    "default.sf2", "default.sf3", "default-GM.sf3", "default-GM.sf2", "FluidR3_GM.sf2",
    "MuseScore_General.sf3", "MuseScore_General_Lite.sf3", "GeneralUser-GS.sf2",
    "freepats-general-midi.sf2", "FluidR3Mono_GM.sf3", "TimGM6mb.sf2",
  ]

  private static let folders = [
    "downbeat/soundfonts", "soundfonts", "sounds/sf2", "sounds/sf3",
  ]

  private let environment: [String: String]
  private let executable: String
  private let isFile: @Sendable (String) -> Bool

  /// Creates a search.
  ///
  /// - Parameters:
  ///   - environment: the variables of the process.
  ///   - executable: the path of the running command, for our own font beside it.
  ///   - isFile: whether a path names a readable file.
  public init(
    environment: [String: String], executable: String,
    isFile: @escaping @Sendable (String) -> Bool
  ) {
    self.environment = environment
    self.executable = executable
    self.isFile = isFile
  }

  /// The path of the first soundfont found, or nil where there is none.
  public func find() -> String? {
    candidates().first(where: isFile)
  }

  /// Every path that is looked at, in order.
  public func candidates() -> [String] {
    named() + dataFolders().flatMap(systemFonts(in:)) + ownFonts()
  }

  private func named() -> [String] {
    Self.variables.compactMap { environment[$0] }
      .flatMap { $0.split(whereSeparator: { $0 == ":" || $0 == ";" }).map(String.init) }
  }

  private func dataFolders() -> [String] {
    let home = environment["HOME"].map { $0 + "/.local/share" }
    let own = environment["XDG_DATA_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? home
    let shared = environment["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 }
    let folders = (shared ?? "/usr/local/share:/usr/share").split(separator: ":").map(String.init)
    return (own.map { [$0] } ?? []) + folders + ["/app/share"]
  }

  private func systemFonts(in data: String) -> [String] {
    Self.folders.flatMap { folder in Self.names.map { "\(data)/\(folder)/\($0)" } }
  }

  /// Our own font: installed beside the command, or in the checkout it was built in.
  private func ownFonts() -> [String] {
    var folder = executable[...]
    var fonts: [String] = []
    for _ in 0..<5 {
      guard let slash = folder.lastIndex(of: "/") else { break }
      folder = folder[..<slash]
      fonts.append("\(folder)/share/downbeat/soundfonts/Downbeat.sf2")
      fonts.append("\(folder)/Soundfonts/Downbeat.sf2")
    }
    return fonts
  }
}
