// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import JSONText
internal import PlayerControl
internal import PlayerViews
internal import PortTools
internal import SongTools
internal import SoundTools
internal import TOMLText

/// All settings, with functions that show and check them.
struct ConfigReport {
  private let environment: [String: String]
  private let configuration: Configuration

  /// Reads the configuration files that the variables name.
  init(environment: [String: String] = Environment.variables) {
    self.environment = environment
    configuration = Configuration(environment: environment)
  }

  /// Returns the path of the user's configuration file.
  ///
  /// - Throws: `Failure` with exit status 78 if the variables do not determine the path.
  static func ownPath(_ environment: [String: String] = Environment.variables) throws(Failure)
    -> String
  {
    guard let path = Configuration.paths(environment).first else {
      throw Failure(.configuration, "no folder for settings (set HOME or XDG_CONFIG_HOME)")
    }
    return path
  }

  /// One line for each setting, in the form of the file, with the file and the line number.
  var lines: [String] {
    let variables = variables.map { "\($0.name)=\($0.value)" }
    let settings = configuration.settings.map { setting in
      "\(setting.path.joined(separator: ".")) = \(Self.text(setting.value))"
        + "  # \(setting.file): line \(setting.line)"
    }
    return variables + settings + configuration.troubles.map { "# \($0)" }
  }

  /// The JSON document of the settings.
  var json: JSONValue {
    let files = configuration.settings.map { setting in
      JSONValue.object([
        ("path", .array(setting.path.map(JSONValue.text))), ("value", Self.json(setting.value)),
        ("file", .path(setting.file)), ("line", .integer(setting.line)),
      ])
    }
    let variables = variables.map { variable in
      JSONValue.object([("name", .text(variable.name)), ("value", .text(variable.value))])
    }
    return .object([
      ("v", 1), ("type", "config"), ("settings", .array(files)), ("variables", .array(variables)),
      ("troubles", .array(configuration.troubles.map { .text("\($0)") })),
    ])
  }

  /// Returns a sentence for each setting that cannot be used, in the order of the files.
  func faults() throws -> [String] {
    let root = try CommandDescription.root()
    return configuration.troubles.map { "\($0)" }
      + configuration.settings.compactMap {
        Self.fault(of: $0, at: "\($0.file): line \($0.line)", below: root)
      }
  }

  /// Returns a sentence for each valid setting of which a part is not used, in the order of the
  /// files.
  func remarks() throws -> [String] {
    let root = try CommandDescription.root()
    return configuration.settings.flatMap { setting in
      let place = "\(setting.file): line \(setting.line)"
      guard Self.fault(of: setting, at: place, below: root) == nil, !LiveSettings.isOwn(setting)
      else { return [String]() }
      return SettingRemarks(on: setting, below: root).sentences.map { "\(place): \($0)" }
    }
  }

  /// Checks a setting.
  ///
  /// - Parameters:
  ///   - setting: The setting.
  ///   - place: The start of the sentence, which names the setting.
  /// - Returns: A sentence about the fault; nil if the setting is valid.
  /// - Throws: The error of the description of the commands.
  static func fault(of setting: Configuration.Setting, at place: String) throws -> String? {
    fault(of: setting, at: place, below: try CommandDescription.root())
  }

  private static func fault(
    of setting: Configuration.Setting, at place: String, below root: CommandDescription
  ) -> String? {
    if LiveSettings.isOwn(setting) { return fault(ofLive: setting) }
    var path = setting.path.dropLast()
    if path.first == "profile" { path = path.dropFirst(2) }
    let key = setting.path.last ?? ""
    guard let command = root.all.first(where: { Array($0.words.dropFirst()) == Array(path) }) else {
      let near = NearestNames.nearest(
        to: path.joined(separator: "."),
        among: root.all.map { $0.words.dropFirst().joined(separator: ".") })
      return "\(place): [\(setting.path.dropLast().joined(separator: "."))]: not a command"
        + (near.map { " (did you mean \($0)?)" } ?? "")
    }
    // A setting before the first table applies to each command whose option accepts the value.
    let commands = command.all.filter { $0.option(key) != nil }
    guard !commands.isEmpty else {
      let keys = Set(command.all.flatMap { $0.settable.flatMap(\.keys) }).sorted()
      let near = NearestNames.nearest(to: key, among: keys).map { " (did you mean \($0)?)" } ?? ""
      return "\(place): \(key): not an option of \(command.words.joined(separator: " "))\(near)"
    }
    var first: String?
    for command in commands {
      guard let fault = fault(of: setting, key, command, place) else { return nil }
      first = first ?? fault
    }
    return first
  }

  /// Returns the fault of a key or a colour; nil if it is valid.
  private static func fault(ofLive setting: Configuration.Setting) -> String? {
    do {
      var settings = LiveSettings()
      try settings.take(setting)
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// Returns the message of the parser about a value that it does not accept; nil if it accepts the
  /// value.
  static func fault(
    of setting: Configuration.Setting, _ key: String, _ command: CommandDescription, _ place: String
  ) -> String? {
    guard let option = command.option(key) else { return nil }
    do {
      let words = try SettingPlace(option: option, value: setting.value, origin: place)
        .words(of: command)
      let path = Array(command.words.dropFirst())
      // If other words are missing, the message is the same without the setting.
      guard let with = sentence(path + words), with != sentence(path) else { return nil }
      return "\(place): \(UsageSentence(with, typed: path + words).text)"
    } catch {
      return "\(error)"
    }
  }

  /// Returns the message of the parser about words; nil if they are a valid command line.
  private static func sentence(_ words: [String]) -> String? {
    do {
      _ = try DownbeatCommand.parseAsRoot(words)
      return nil
    } catch {
      return DownbeatCommand.message(for: error)
    }
  }

  /// The environment variables that set options, in alphabetical order.
  private var variables: [(name: String, value: String)] {
    environment.filter { $0.key.hasPrefix("DOWNBEAT_") }.sorted { $0.key < $1.key }
      .map { ($0.key, $0.value) }
  }

  private static func text(_ value: TOMLValue) -> String { "\(json(value))" }

  private static func json(_ value: TOMLValue) -> JSONValue {
    switch value {
    case .text(let text): .text(text)
    case .integer(let number): .integer(number)
    case .decimal(let digits): .text(digits)
    case .bool(let flag): .bool(flag)
    case .array(let values): .array(values.map(json))
    }
  }
}
