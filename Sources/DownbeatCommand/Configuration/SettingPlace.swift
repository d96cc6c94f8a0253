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

/// A setting that was found for an option, and where.
struct SettingPlace {
  let option: OptionDescription
  let value: TOMLValue
  /// `config.toml: line 3`, or `$DOWNBEAT_PLAY_GAIN`.
  let origin: String
  /// The path of a setting that several commands may use; nil for one of this command alone.
  var sharedPath: [String]?

  /// True for a setting that is not this command's own, and that another command accepts.
  ///
  /// - Throws: An error if the commands cannot be described.
  func isMeantForOthers() throws -> Bool {
    guard let sharedPath else { return false }
    let setting = Configuration.Setting(path: sharedPath, value: value, file: origin, line: 0)
    return try ConfigReport.fault(of: setting, at: origin) == nil
  }

  /// The words that give it on a command line.
  ///
  /// - Parameter command: the command, which may have a flag that means the contrary.
  /// - Returns: one word, or one for each value of an option that may be repeated.
  /// - Throws: `Failure` with status 78 where the option takes no such value.
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

  /// The value as words have it; several where it is a list.
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

  /// The failure of a command that the setting is to blame for.
  func failure(_ sentence: String) -> Failure { Failure(.configuration, "\(origin): \(sentence)") }

  private func fault(_ wanted: String) -> Failure {
    Failure(.configuration, "\(origin): \(option.key ?? ""): must be \(wanted)")
  }
}
