// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit
internal import Downbeat
internal import FileNames
internal import JSONText
internal import PlayerViews
internal import TOMLText

/// The command `downbeat config set`, which changes one setting in the user's file.
struct ConfigSet: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Change a setting in the configuration file.",
    discussion: """
      The value is checked before the file is changed; the rest of the file stays as it is. For an \
      option that can be repeated, several values are stored as a list.

      EXAMPLES:
        downbeat config set soundfont FluidR3_GM.sf2
        downbeat config set play.gain -3dB
        downbeat config set play.port UM-ONE 24:0
        downbeat config set profile.stage.play.audio hw:1,0
        downbeat config set keys.j seek -10
      """)

  @Argument(
    parsing: .allUnrecognized,
    help: ArgumentHelp(
      "Name of the setting (COMMAND.OPTION, or OPTION for every command) and its value.",
      valueName: "key-and-value"))
  var words: [String] = []

  func run() throws {
    guard words.count > 1 else { throw Self.missingValue(after: words.first) }
    let key = try SettingKey(parsing: words[0])
    let file = try OwnSettings()
    var text = file.text
    let (value, setting) = try Self.value(Array(words.dropFirst()), for: key)
    guard text.set(key, to: value) else { throw file.refusal(of: key) }
    try file.write(text)
    guard !LiveSettings.isOwn(setting) else { return }
    let root = try CommandDescription.root()
    for remark in SettingRemarks(on: setting, below: root).sentences { Terminal.report(remark) }
  }

  /// Returns the error for words without a value.
  private static func missingValue(after word: String?) -> Failure {
    let parts = word?.split(separator: "=", maxSplits: 1).map(String.init) ?? []
    let example =
      parts.count == 2
      ? "write a space: downbeat config set \(parts[0]) \(parts[1])"
      : "such as play.gain -3dB"
    return Failure(.usage, "config set: needs a name and a value (\(example))")
  }

  /// Returns a valid value in TOML, and the setting.
  ///
  /// Numbers and flags need no quotes.
  private static func value(
    _ values: [String], for key: SettingKey
  ) throws -> (text: String, setting: Configuration.Setting) {
    // The value of a key is one command, whose words need no quotes.
    let values = key.table == ["keys"] ? [values.joined(separator: " ")] : values
    if let value = values.first(where: FileName.hasLooseBytes) {
      throw Failure(.usage, "config set: \(value): not UTF-8 (rename the file)")
    }
    var fault: String?
    for spelling in spellings(values) {
      let setting = try setting(key, spelling)
      guard let found = try self.fault(of: setting, key) else { return (spelling, setting) }
      fault = found
    }
    throw Failure(.usage, "config set: \(fault ?? key.text)")
  }

  /// Returns a sentence about the fault of a value; nil if it is valid.
  private static func fault(
    of setting: Configuration.Setting, _ key: SettingKey
  ) throws -> String? {
    let fault = try ConfigReport.fault(of: setting, at: key.text)?
      .replacing("\(key.text): line 0: ", with: "\(key.text): ")
    return fault?.replacing("\(key.text): \(key.text): ", with: "\(key.text): ")
  }

  /// Returns the setting for a value that is written in TOML.
  private static func setting(
    _ key: SettingKey, _ spelling: String
  ) throws -> Configuration.Setting {
    let entry = try TOMLReader.read(Array("value = \(spelling)".utf8)).first
    guard let value = entry?.value else {
      throw Failure(.usage, "config set: \(key.text): not a value")
    }
    return Configuration.Setting(path: key.path, value: value, file: key.text, line: 0)
  }

  /// Returns the possible spellings of values in TOML, the most likely one first.
  private static func spellings(_ values: [String]) -> [String] {
    let texts = values.map { "\(JSONValue.text($0))" }
    guard values.count == 1, let value = values.first else {
      return ["[\(texts.joined(separator: ", "))]"]
    }
    let isBare = ["true", "false"].contains(value) || Int(value).map { "\($0)" } == value
    return (isBare ? [value] : []) + texts
  }
}

/// The command `downbeat config unset`, which removes one setting from the user's file.
struct ConfigUnset: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unset", abstract: "Remove a setting from the configuration file.")

  @Argument(help: "Name of the setting, such as play.gain.")
  var key: String

  func run() throws {
    let key = try SettingKey(parsing: key)
    let file = try OwnSettings()
    var text = file.text
    guard text.line(of: key) != nil else {
      throw Failure(.failure, "\(key.text): is not set in \(file.path)")
    }
    guard text.remove(key) else { throw file.refusal(of: key) }
    try file.write(text)
  }
}
