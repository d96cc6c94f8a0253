// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import Downbeat
internal import PlayerControl

/// The words of a command line, together with the words of settings.
///
/// A typed option overrides settings, so settings of the same option are omitted.
struct ConfiguredWords {
  /// A setting, and its words.
  private typealias Given = (place: SettingPlace, words: [String])

  /// The words that name the command; empty without settings.
  private let path: [String]
  private let settings: [Given]
  /// The typed words after the name of the command.
  ///
  /// Without settings, all typed words.
  private let rest: [String]

  /// The words for the parser.
  var words: [String] { line(of: settings) }
  /// The settings that are used.
  var places: [SettingPlace] { settings.map(\.place) }

  /// Groups of options that exclude each other.
  private static let alternatives: [Set<String>] = [
    ["gain", "absolute-gain", "normalize"], ["tempo", "song", "ramp"], ["sync", "song"],
    ["tempo", "song", "clock"], ["meter", "song", "clock"], ["json", "jsonl", "csv"],
    ["output", "output-dir"], ["form", "json"],
  ]

  /// Finds the settings for the command that the words name.
  ///
  /// - Parameters:
  ///   - words: The words of the command line.
  ///   - environment: The environment variables.
  /// - Throws: `Failure` with exit status 78 if a file is not valid TOML, or if a setting is not an
  ///   option of the command.
  init(_ words: [String], environment: [String: String]) throws(Failure) {
    var typed = words
    let profile = try Self.takeProfile(&typed) ?? environment["DOWNBEAT_PROFILE"]
    let configuration = Configuration(environment: environment)
    guard Self.mayHaveSettings(typed),
      profile != nil || !configuration.isEmpty
        || environment.keys.contains(where: { $0.hasPrefix("DOWNBEAT_") })
    else {
      (path, settings, rest) = ([], [], typed)
      return
    }
    try configuration.refuseMalformed()
    if let profile { try configuration.checkProfile(profile) }
    let (command, count) = try Self.command(of: typed)
    let layers = SettingLayers(
      command: command, configuration: configuration, environment: environment, profile: profile)
    if let (setting, near) = layers.strangers().first {
      throw Self.refusal(of: setting, near, command)
    }
    var settings: [Given] = []
    for place in Self.places(in: layers, typed: Array(typed.dropFirst(count))) {
      guard let words = try Self.words(of: place, command) else { continue }
      settings.append((place, words))
    }
    self.settings = settings
    path = settings.isEmpty ? [] : Array(command.words.dropFirst())
    rest = settings.isEmpty ? typed : Array(typed.dropFirst(count))
  }

  /// Returns the words without a setting.
  ///
  /// - Parameter place: The setting.
  /// - Returns: The other words.
  func without(_ place: SettingPlace) -> ConfiguredWords {
    ConfiguredWords(
      path: path,
      settings: settings.filter {
        $0.place.origin != place.origin || $0.place.option.key != place.option.key
      }, rest: rest)
  }

  private init(path: [String], settings: [Given], rest: [String]) {
    (self.path, self.settings, self.rest) = (path, settings, rest)
  }

  /// Returns the words of a setting; nil if its value is for other commands.
  ///
  /// - Throws: `Failure` with exit status 78 if the value is not valid for any command.
  private static func words(
    of place: SettingPlace, _ command: CommandDescription
  ) throws(Failure) -> [String]? {
    do throws(Failure) {
      return try place.words(of: command)
    } catch {
      let fault = error
      do {
        if try place.isMeantForOthers() { return nil }
      } catch {
        // The error about the value is reported instead.
      }
      throw fault
    }
  }

  private func line(of settings: [Given]) -> [String] { path + settings.flatMap(\.words) + rest }

  /// Returns the first setting whose removal makes the words valid; nil if none does.
  func culprit(isUnderstood: ([String]) -> Bool) -> SettingPlace? {
    settings.indices.first { index in
      var others = settings
      others.remove(at: index)
      return isUnderstood(line(of: others))
    }.map { settings[$0].place }
  }

  /// Returns the first setting of one of these options, such as `--from`; nil for none.
  func place(of options: [String]) -> SettingPlace? {
    places.first { options.contains("--\($0.option.key ?? "")") }
  }

  private static func places(in layers: SettingLayers, typed: [String]) -> [SettingPlace] {
    var taken = layers.command.keys(in: typed)
    return layers.command.settable.compactMap { option in
      guard let key = option.key, !taken.contains(key), !isRivalled(key, taken),
        let place = layers.place(of: option)
      else { return nil }
      taken.insert(key)
      return place
    }
  }

  /// Returns true if the opposite of an option, or an alternative to it, is already present.
  private static func isRivalled(_ key: String, _ taken: Set<String>) -> Bool {
    let contrary = key.hasPrefix("no-") ? String(key.dropFirst(3)) : "no-\(key)"
    return taken.contains(contrary)
      || alternatives.contains { $0.contains(key) && !$0.isDisjoint(with: taken) }
  }

  /// Returns false for help, the version, and commands that repair settings.
  private static func mayHaveSettings(_ words: [String]) -> Bool {
    guard let first = words.first, !["help", "config", "doctor"].contains(first) else {
      return false
    }
    let typed = words.prefix { $0 != "--" }
    return !typed.contains { word in
      ["-h", "--help", "--version"].contains(word) || word.hasPrefix("---")
        || word.hasPrefix("--generate-completion-script")
        || word.hasPrefix("--experimental-dump-help")
    }
  }

  /// Removes `--profile NAME` from the words and returns the name; nil without it.
  private static func takeProfile(_ words: inout [String]) throws(Failure) -> String? {
    let end = words.firstIndex(of: "--") ?? words.endIndex
    guard
      let index = words[..<end].firstIndex(where: {
        $0 == "--profile" || $0.hasPrefix("--profile=")
      })
    else { return nil }
    let word = words.remove(at: index)
    if word != "--profile" { return String(word.dropFirst("--profile=".count)) }
    guard index < end - 1 else {
      throw Failure(.usage, "--profile: the name is missing (see: downbeat config show)")
    }
    return words.remove(at: index)
  }

  /// Returns the command that the words name, and the number of these words.
  private static func command(
    of words: [String]
  ) throws(Failure) -> (command: CommandDescription, count: Int) {
    do {
      return try CommandDescription.called(by: words)
    } catch {
      throw Failure(.internalError, "internal error: the list of commands cannot be read: \(error)")
    }
  }

  private static func refusal(
    of setting: Configuration.Setting, _ near: String?, _ command: CommandDescription
  ) -> Failure {
    let name = command.words.joined(separator: " ")
    let hint = near.map { "did you mean \($0)? " } ?? ""
    return Failure(
      .configuration,
      "\(setting.file): line \(setting.line): \(setting.path.joined(separator: ".")): not an option"
        + " of \(name) (\(hint)\(name) --help-all lists them)")
  }
}
