// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import FileNames
internal import PlayerControl
internal import PlayerViews
internal import PortTools
internal import SongTools
internal import SoundTools
internal import TOMLText

/// The setting of an option, and its origin.
struct SettingPlace {
  let option: OptionDescription
  let value: TOMLValue
  /// The file and the line, or the variable, such as `config.toml: line 3` or
  /// `$DOWNBEAT_PLAY_GAIN`.
  let origin: String
  /// The path of a setting that several commands may use; nil if it is only for this command.
  var sharedPath: [String]?

  /// Returns true if the setting may be for several commands, and another command accepts it.
  ///
  /// - Throws: The error of the description of the commands.
  func isMeantForOthers() throws -> Bool {
    guard let sharedPath else { return false }
    let setting = Configuration.Setting(path: sharedPath, value: value, file: origin, line: 0)
    return try ConfigReport.fault(of: setting, at: origin) == nil
  }

  /// Returns the words of the setting on a command line.
  ///
  /// - Parameter command: The command, which may have a flag with the opposite meaning.
  /// - Returns: One word, or one for each value if the option can be repeated.
  /// - Throws: `Failure` with exit status 78 if the kind of value does not fit the option.
  func words(of command: CommandDescription) throws(Failure) -> [String] {
    guard let key = option.key else { return [] }
    if option.isFlag { return try flag(key, command) }
    let texts = try texts()
    if option.isRepeating { return texts.map { "--\(key)=\($0)" } }
    return ["--\(key)=\(texts.joined(separator: ","))"]
  }

  private func flag(
    _ key: String, _ command: CommandDescription
  ) throws(Failure) -> [String] {
    guard let isSet else { throw fault("true or false") }
    if isSet { return ["--\(key)"] }
    return command.option("no-\(key)") == nil ? [] : ["--no-\(key)"]
  }

  private var isSet: Bool? {
    switch value {
    case .bool(let isSet): isSet
    case .integer(1), .text("1"), .text("true"), .text("yes"), .text("on"): true
    case .integer(0), .text("0"), .text("false"), .text("no"), .text("off"): false
    default: nil
    }
  }

  /// Returns the value as text, with one element for each value of a list.
  private func texts() throws(Failure) -> [String] {
    switch value {
    case .text(let text), .decimal(let text): return [FileName.text(of: text.utf8)]
    case .integer(let number): return [String(number)]
    case .bool: throw fault("a text or a number")
    case .array(let values):
      var texts: [String] = []
      for value in values {
        let element = SettingPlace(option: option, value: value, origin: origin)
        texts += try element.texts()
      }
      return texts
    }
  }

  /// Returns the failure of a command that is caused by this setting.
  func failure(_ sentence: String) -> Failure { Failure(.configuration, "\(origin): \(sentence)") }

  private func fault(_ wanted: String) -> Failure {
    Failure(.configuration, "\(origin): \(option.key ?? ""): must be \(wanted)")
  }
}
