// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import Downbeat
internal import PlayerControl

/// The words of a command line with those of settings among them.
///
/// What a person types counts more than any setting, so a setting of the same option is left out.
struct ConfiguredWords {
  /// A setting, and the words that give it.
  private typealias Given = (place: SettingPlace, words: [String])

  /// The words that name the command, where there are settings of it.
  private let path: [String]
  private let settings: [Given]
  /// What was typed after the command's name, or all of it.
  private let rest: [String]

  /// The words for the parser.
  var words: [String] { line(of: settings) }
  /// The settings among them.
  var places: [SettingPlace] { settings.map(\.place) }

  /// Options of which one alone can be given.
  private static let alternatives: [Set<String>] = [
    ["gain", "absolute-gain", "normalize"], ["tempo", "song", "ramp"], ["sync", "song"],
    ["tempo", "song", "clock"], ["meter", "song", "clock"], ["json", "jsonl", "csv"],
    ["output", "output-dir"], ["form", "json"],
  ]

  /// Looks up the settings of the command that words name.
  ///
  /// - Parameters:
  ///   - words: the words as they were typed.
  ///   - environment: the variables of the process.
  /// - Throws: `Failure` with status 78 for a file that is no TOML, or a setting that is none of
  ///   the command.
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

  /// These words without a setting.
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

  /// The words that give a setting; nil if its value is meant for other commands.
  ///
  /// - Throws: `Failure` with status 78 if no command accepts the value.
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
        // The fault of the value is the one to report.
      }
      throw fault
    }
  }

  private func line(of settings: [Given]) -> [String] { path + settings.flatMap(\.words) + rest }

  /// The first setting without which the words are understood; nil where none is at fault.
  func culprit(isUnderstood: ([String]) -> Bool) -> SettingPlace? {
    settings.indices.first { index in
      var others = settings
      others.remove(at: index)
      return isUnderstood(line(of: others))
    }.map { settings[$0].place }
  }

  /// The first setting of one of these options, such as `--from`; nil if they have none.
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

  /// Whether the contrary of an option, or an alternative to it, is there already.
  private static func isRivalled(_ key: String, _ taken: Set<String>) -> Bool {
    let contrary = key.hasPrefix("no-") ? String(key.dropFirst(3)) : "no-\(key)"
    return taken.contains(contrary)
      || alternatives.contains { $0.contains(key) && !$0.isDisjoint(with: taken) }
  }

  /// Help, the version and the commands that mend settings do without them.
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

  /// Takes `--profile NAME` out of the words.
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

  /// The command that words call, and how many of them name it.
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
