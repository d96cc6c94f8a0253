internal import SoundFontFiles
// SPDX-License-Identifier: Apache-2.0
internal import SoundFontInstruments
internal import WholeFiles

/// Finds the soundfonts to use if the command line does not name any.
///
/// The search has these stages, in order: environment variables; the configuration; a file whose
/// name marks it as the default font of the system or the user; FluidSynth's default; and the best
/// font in the folders of Debian, Fedora, Arch, openSUSE and Flatpak, including Downbeat's font. A
/// file is recognised by its content, not by its suffix.
///
/// An environment variable or a setting can name several fonts, which are then all used. Each can
/// be a file or the name of an installed font, followed by `,bank=N` and `,gain=G`.
public struct SoundFontDiscovery: Sendable {
  /// A location that was searched, and the result.
  public struct Step: Hashable, Sendable {
    /// The reason for searching this location, such as `$SOUND_FONT` or `the system default`.
    public let reason: String
    /// The path of the file or folder that was searched.
    public let path: String
    /// The settings that follow the name of the font, such as `,bank=1`; usually empty.
    public let settings: String
    /// The result of searching this location.
    public let verdict: Verdict
    /// True if the environment or the configuration names the location.
    package let isNamed: Bool
  }

  /// The result of searching a location.
  public enum Verdict: String, Hashable, Sendable {
    /// The location has a soundfont, which is used.
    case chosen
    /// The location has a soundfont, but another one is preferred.
    case passedOver = "passed over"
    /// The location has a file that is not a soundfont, or cannot be read.
    case notSoundFont = "not a soundfont"
    /// The file or folder does not exist.
    case missing
  }

  /// The environment variables that can name soundfonts, in order of precedence.
  public static let variables = [
    "DOWNBEAT_SOUNDFONT", "SDL_SOUNDFONTS", "SOUND_FONT", "SOUNDFONT",
  ]

  private static let folders = [
    "downbeat/soundfonts", "soundfonts", "sounds/sf2", "sounds/sf3",
  ]

  private let environment: [String: String]
  private let executable: String
  private let root: String
  private let libraryDefault: @Sendable () -> String?

  /// Creates a search.
  ///
  /// - Parameters:
  ///   - environment: The environment variables of the process.
  ///   - executable: The path of the running command, to find Downbeat's font next to it.
  ///   - root: A path that is prefixed to the folders of the system; empty except in tests.
  ///   - libraryDefault: Returns the path of FluidSynth's default font; by default the value of the
  ///     installed library.
  public init(
    environment: [String: String], executable: String, root: String = "",
    libraryDefault: (@Sendable () -> String?)? = nil
  ) {
    self.environment = environment
    self.executable = executable
    self.root = root
    self.libraryDefault = libraryDefault ?? { SoundFont.libraryDefault }
  }

  /// Returns the path of the first font to use, or nil if no font was found.
  public func find() -> String? { chosen().first?.path }

  /// Returns the fonts to use, in order of precedence: if several contain the same preset, the
  /// first one plays it.
  public func chosen() -> [Step] { steps().filter { $0.verdict == .chosen } }

  /// Returns the locations that were searched, in order, up to the end of the stage in which a font
  /// was found.
  public func steps() -> [Step] {
    var steps: [Step] = []
    let stages = [
      (named, isNamed: true), (configured, isNamed: true), (chosenByName, isNamed: false),
      (libraryChoice, isNamed: false), (installed, isNamed: false),
    ]
    for (places, isNamed) in stages {
      steps += judged(places(), isNamed: isNamed)
      if steps.contains(where: { $0.verdict == .chosen }) { break }
    }
    return steps
  }

  /// The errors of configuration files that were ignored because they could not be read.
  public var configurationTroubles: [ConfigurationError] {
    Configuration(environment: environment, root: root).troubles
  }

  /// Returns every readable soundfont in the searched folders, the best one first.
  public func fonts() -> [String] {
    var seen: Set<String> = []
    return (searchedFolders.flatMap { Self.files(in: $0) ?? [] } + ownFonts)
      .filter { SoundFont.isSoundFont(path: $0) }
      .filter { seen.insert(FolderListing.realPath(of: $0)).inserted }
      .sorted { Self.order($0) < Self.order($1) }
  }

  /// Returns the path of the soundfont with a name, or nil if it does not exist.
  ///
  /// The name is the path of a file, with or without `.sf2`, `.sf3` or `.dls`. If the file does not
  /// exist and the name does not contain a folder, the installed soundfonts are searched. Names are
  /// case-sensitive.
  ///
  /// - Complexity: O(n) in the number of installed fonts.
  public func path(named name: String) -> String? {
    let wanted = ["", ".sf2", ".sf3", ".dls"].map { name + $0 }
    if let file = wanted.first(where: FolderListing.isThere) { return file }
    guard !name.contains("/") else { return nil }
    let found = fonts().map { (name: Self.name(of: $0), path: $0) }
    return wanted.lazy.compactMap { name in found.first { $0.name == name }?.path }.first
  }

  /// Returns the last component of a path: the name of the file without its folders.
  public static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Returns the files of a folder that have the suffix of a soundfont, sorted; nil if the folder
  /// cannot be read.
  public static func files(in folder: String) -> [String]? {
    guard let names = FolderListing.readableNames(in: folder) else { return nil }
    return names.map { folder.hasSuffix("/") ? folder + $0 : "\(folder)/\($0)" }
      .filter(hasSuffix)
  }

  /// The folders that are searched, in order.
  public var searchedFolders: [String] {
    dataFolders.flatMap { data in Self.folders.map { "\(data)/\($0)" } }
  }

  private static func hasSuffix(_ path: String) -> Bool {
    [".sf2", ".sf3", ".dls"].contains(String(path.suffix(4)).lowercased())
  }

  /// The order of fonts: known fonts as in the catalog, then other fonts, the largest first.
  private static func order(_ path: String) -> Order {
    let rank = SoundFontCatalog.rank(of: name(of: path))
    return Order(
      rank: rank ?? SoundFontCatalog.names.count,
      size: rank == nil ? -FolderListing.size(of: path) : 0, path: path)
  }

  private struct Order: Comparable {
    let rank: Int
    let size: Int
    let path: String

    static func < (a: Order, b: Order) -> Bool {
      (a.rank, a.size, a.path) < (b.rank, b.size, b.path)
    }
  }
}

/// The stages of the search; each returns locations, with the reason to search there.
extension SoundFontDiscovery {
  private typealias Place = (reason: String, path: String)

  /// Evaluates the locations of a stage; chosen are the first font and others of the same variable
  /// or setting.
  private func judged(_ places: [Place], isNamed: Bool) -> [Step] {
    var reasonOfChosen: String?
    return places.map { place in
      let (name, settings) = isNamed ? Self.parts(of: place.path) : (place.path, "")
      let path = isNamed ? self.path(named: name) ?? name : name
      let isOther = reasonOfChosen.map { !isNamed || $0 != place.reason } ?? false
      let verdict = Self.verdict(of: path, isFound: isOther)
      if verdict == .chosen { reasonOfChosen = place.reason }
      return Step(
        reason: place.reason, path: path, settings: settings, verdict: verdict, isNamed: isNamed)
    }
  }

  /// A font's name, and the settings that follow it.
  private static func parts(of text: String) -> (name: String, settings: String) {
    var name = text[...]
    while let comma = name.lastIndex(of: ",") {
      let setting = name[name.index(after: comma)...]
      guard setting.hasPrefix("bank=") || setting.hasPrefix("gain=") else { break }
      name = name[..<comma]
    }
    return (String(name), String(text[name.endIndex...]))
  }

  private static func verdict(of path: String, isFound: Bool) -> Verdict {
    guard FolderListing.isThere(path) else { return .missing }
    guard SoundFont.isSoundFont(path: path) else { return .notSoundFont }
    return isFound ? .passedOver : .chosen
  }

  private func named() -> [Place] {
    Self.variables.flatMap { name in
      (environment[name] ?? "").split(whereSeparator: { $0 == ":" || $0 == ";" })
        .map { ("$\(name)", String($0)) }
    }
  }

  private func configured() -> [Place] {
    Configuration(environment: environment, root: root).texts(of: "soundfont")
      .map { ("configuration file \($0.file)", $0.text) }
  }

  private func chosenByName() -> [Place] {
    searchedFolders.flatMap { folder in
      SoundFontCatalog.choices.map { ("the system default", "\(folder)/\($0)") }
    }
  }

  private func libraryChoice() -> [Place] {
    libraryDefault().map { [("FluidSynth's default", root + $0)] } ?? []
  }

  /// The installed General MIDI sets, the best first, including Downbeat's font.
  private func installed() -> [Place] {
    fonts().filter { path in
      SoundFontCatalog.rank(of: Self.name(of: path)) != nil || Self.isGeneralMIDI(path)
    }.map { ("the best installed", $0) }
  }

  /// True if a font that is not in the catalog has at least 120 programs and a drum kit.
  private static func isGeneralMIDI(_ path: String) -> Bool {
    do {
      let presets = try SoundFont(path: path).tables.presets
      let programs = Set(presets.filter { $0.bank == 0 }.map(\.program))
      return programs.count >= 120 && presets.contains { $0.bank == 128 }
    } catch {
      return false
    }
  }

  private var dataFolders: [String] {
    let home = environment["HOME"].map { $0 + "/.local/share" }
    let own = environment["XDG_DATA_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? home
    let shared = environment["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 }
    let folders = (shared ?? "/usr/local/share:/usr/share").split(separator: ":").map(String.init)
    var seen: Set<String> = []
    return ((own.map { [$0] } ?? []) + (folders + ["/app/share"]).map { root + $0 })
      .filter { seen.insert($0).inserted }
  }

  /// Downbeat's font: installed next to the command, or in the checkout that it was built in.
  private var ownFonts: [String] {
    var folder = executable[...]
    var fonts: [String] = []
    for _ in 0..<5 {
      guard let slash = folder.lastIndex(of: "/") else { break }
      folder = folder[..<slash]
      fonts.append("\(folder)/share/downbeat/soundfonts/\(SoundFontCatalog.own)")
      fonts.append("\(folder)/Soundfonts/\(SoundFontCatalog.own)")
    }
    return fonts
  }
}
