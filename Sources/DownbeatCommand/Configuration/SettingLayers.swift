// SPDX-License-Identifier: Apache-2.0
internal import Downbeat
internal import JSONText
internal import PlayerControl
internal import TOMLText

/// Where the settings of one command are looked for, the place that counts most first.
///
/// These are the variables `DOWNBEAT_CLOCK_SEND_TEMPO` and `DOWNBEAT_TEMPO`; in each file the tables
/// of the profile, `[profile.stage.clock.send]` to `[profile.stage]`; the command's own,
/// `[clock.send]`, `[clock]`; and what stands outside all tables.
struct SettingLayers {
  let command: CommandDescription
  let configuration: Configuration
  let environment: [String: String]
  let profile: String?

  /// The setting of an option; nil where nobody gave one.
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

  /// The value of a variable: for soundfonts a list, as in `$DOWNBEAT_SOUNDFONT`.
  private static func value(_ text: String, of key: String) -> TOMLValue {
    guard key == "soundfont" else { return .text(text) }
    return .array(text.split(whereSeparator: { $0 == ":" || $0 == ";" }).map { .text(String($0)) })
  }

  /// The names of variables that give an option.
  private func variables(_ key: String) -> [String] {
    // Fonts are looked for in this one by programs that know no options.
    let general = key == "soundfont" ? [] : [[String]()]
    return ([path] + general).map { Self.variable(key, of: $0) }
  }

  /// The name of the variable that gives an option, of every command or of one.
  ///
  /// - Parameters:
  ///   - key: The key of the option.
  ///   - command: The words of the command below `downbeat`.
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

  /// The tables that hold settings of the command.
  private var tables: [[String]] {
    let own = (0...path.count).reversed().map { Array(path.prefix($0)) }
    return (profile.map { name in own.map { ["profile", name] + $0 } } ?? []) + own
  }

  /// The command's own tables.
  private var own: [[String]] { [path] + (profile.map { [["profile", $0] + path] } ?? []) }

  /// What the command's own tables hold that is no option of it.
  func strangers() -> [(setting: Configuration.Setting, near: String?)] {
    let keys = Set(command.settable.flatMap(\.keys))
    return configuration.settings.filter { setting in
      own.contains(Array(setting.path.dropLast())) && !path.isEmpty
        && !keys.contains(setting.path.last ?? "")
    }.map { ($0, NearestNames.nearest(to: $0.path.last ?? "", among: Array(keys).sorted())) }
  }
}
