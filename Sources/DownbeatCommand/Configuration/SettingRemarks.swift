// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import TOMLText
internal import WholeFiles

/// The remarks on a valid setting: commands that do not accept its value, and missing soundfonts.
struct SettingRemarks {
  private let setting: Configuration.Setting
  private let root: CommandDescription

  /// Creates the remarks.
  ///
  /// - Parameters:
  ///   - setting: A setting that at least one command accepts.
  ///   - root: The description of all commands.
  init(on setting: Configuration.Setting, below root: CommandDescription) {
    (self.setting, self.root) = (setting, root)
  }

  /// The sentences, which start with the name of the setting.
  var sentences: [String] { [scope].compactMap(\.self) + missingFonts }

  private var key: String { setting.path.last ?? "" }
  private var name: String { setting.path.joined(separator: ".") }
  private var profile: [String] {
    setting.path.first == "profile" ? Array(setting.path.prefix(2)) : []
  }

  /// A sentence on the commands that do not use a setting for several commands; nil for none.
  private var scope: String? {
    let others = refusing.map { $0.words.dropFirst() }
    guard let first = others.first else { return nil }
    let names = others.map { $0.joined(separator: " ") }
    let list =
      names.count > 4
      ? "\(names.prefix(3).joined(separator: ", ")) and \(names.count - 3) more commands"
      : names.joined(separator: ", ")
    let own = (profile + first + [key]).joined(separator: ".")
    return "\(name): does not apply to \(list) (for \(names[0]) set \(own))"
  }

  /// The commands with an option of this name that does not accept the value.
  ///
  /// A text is not meant for flags, so flags are not included for it.
  private var refusing: [CommandDescription] {
    let path = Array(setting.path.dropFirst(profile.count).dropLast())
    let command = root.all.first { Array($0.words.dropFirst()) == path }
    return (command?.all ?? []).filter { command in
      guard let option = command.option(key), !option.isFlag || isBool else { return false }
      return ConfigReport.fault(of: setting, key, command, name) != nil
    }
  }

  private var isBool: Bool { if case .bool = setting.value { true } else { false } }

  private var missingFonts: [String] {
    guard key == "soundfont" else { return [] }
    let values = if case .array(let values) = setting.value { values } else { [setting.value] }
    return values.compactMap { value in
      guard case .text(let text) = value, let reason = Self.missing(text) else { return nil }
      return "\(name): \(reason)"
    }
  }

  /// Returns the reason why a soundfont is not found; nil if it is found.
  private static func missing(_ text: String) -> String? {
    let home = Environment.variables["HOME"]
    let text = text.hasPrefix("~/") ? (home ?? "~") + text.dropFirst() : text
    do {
      let path = try FontSearch.path(of: FontChoice(parsing: text).choice.path)
      return FolderListing.isThere(path) ? nil : "\(path): no such file"
    } catch {
      return "\(error)"
    }
  }
}
