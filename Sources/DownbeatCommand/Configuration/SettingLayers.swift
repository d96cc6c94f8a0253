// SPDX-License-Identifier: Apache-2.0
internal import Downbeat
internal import JSONText
internal import PlayerControl
internal import TOMLText

/// The settings of one command.
///
/// Each source overrides those after it.
/// The sources are the variables `DOWNBEAT_CLOCK_SEND_TEMPO` and `DOWNBEAT_TEMPO`, then in each
/// file the tables of the profile, from `[profile.stage.clock.send]` to `[profile.stage]`, the
/// tables of the command, `[clock.send]` and `[clock]`, and the settings before the first table.
struct SettingLayers {
  let command: CommandDescription
  let configuration: Configuration
  let environment: [String: String]
  let profile: String?

  /// Returns the setting of an option; nil if it is not set.
  func place(of option: OptionDescription) -> SettingPlace? {
    for key in option.keys {
      for name in variables(key) {
        guard let text = environment[name] else { continue }
        let isShared = name == Self.variable(key)
        return SettingPlace(
          option: option, value: Self.value(text, of: key), origin: "$\(name)",
          sharedPath: isShared ? [key] : nil)
      }
    }
    return option.keys.lazy.compactMap(fileSetting).first.map { setting in
      let isOwn = own.contains(Array(setting.path.dropLast()))
      return SettingPlace(
        option: option, value: setting.value, origin: "\(setting.file): line \(setting.line)",
        sharedPath: isOwn ? nil : setting.path)
    }
  }

  /// Returns the value of a variable.
  ///
  /// For soundfonts, it is a list, as in `$DOWNBEAT_SOUNDFONT`.
  private static func value(_ text: String, of key: String) -> TOMLValue {
    guard key == "soundfont" else { return .text(text) }
    return .array(text.split(whereSeparator: { $0 == ":" || $0 == ";" }).map { .text(String($0)) })
  }

  /// Returns the names of the variables for an option, the one for this command first.
  private func variables(_ key: String) -> [String] {
    // `DOWNBEAT_SOUNDFONT` is read by the search for soundfonts.
    let general = key == "soundfont" ? [] : [[String]()]
    return ([path] + general).map { Self.variable(key, of: $0) }
  }

  /// Returns the name of the variable for an option.
  ///
  /// - Parameters:
  ///   - key: The key of the option.
  ///   - command: The words of the command after `downbeat`; empty for all commands.
  /// - Returns: A name such as `DOWNBEAT_CLOCK_SEND_TEMPO`.
  static func variable(_ key: String, of command: [String] = []) -> String {
    (["downbeat"] + command + [key]).joined(separator: "_").replacing("-", with: "_").uppercased()
  }

  private func fileSetting(_ key: String) -> Configuration.Setting? {
    var files: [String] = []
    for setting in configuration.settings where files.last != setting.file {
      files.append(setting.file)
    }
    for file in files {
      for table in tables where !(table.isEmpty && key == "soundfont") {
        let path = table + [key]
        if let found = configuration.settings.first(where: { $0.file == file && $0.path == path }) {
          return found
        }
      }
    }
    return nil
  }

  private var path: [String] { Array(command.words.dropFirst()) }

  /// The tables that may contain settings of the command, in the order of priority.
  private var tables: [[String]] {
    let own = (0...path.count).reversed().map { Array(path.prefix($0)) }
    return (profile.map { name in own.map { ["profile", name] + $0 } } ?? []) + own
  }

  /// The tables for this command only.
  private var own: [[String]] { [path] + (profile.map { [["profile", $0] + path] } ?? []) }

  /// Returns the settings in the tables of this command that are not options of it, with a similar
  /// name; nil for none.
  func strangers() -> [(setting: Configuration.Setting, near: String?)] {
    let keys = Set(command.settable.flatMap(\.keys))
    return configuration.settings.filter { setting in
      own.contains(Array(setting.path.dropLast())) && !path.isEmpty
        && !keys.contains(setting.path.last ?? "")
    }.map { ($0, NearestNames.nearest(to: $0.path.last ?? "", among: Array(keys).sorted())) }
  }
}
