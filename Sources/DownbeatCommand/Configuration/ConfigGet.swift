// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit
internal import Downbeat
internal import JSONText
internal import TOMLText

/// The command `downbeat config get`, which prints the value of one setting.
struct ConfigGet: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Print the value of a setting.",
    discussion: """
      Prints the value that applies if the option is not given. It is taken from the environment \
      variable if that is set, otherwise from the configuration files. A list is printed with one \
      value per line. The exit status is 1 if no value is set.
      """)

  @Argument(help: "Name of the setting: COMMAND.OPTION, or OPTION for every command.")
  var key: String

  func run() throws {
    let key = try SettingKey(parsing: key)
    let configuration = Configuration(environment: Environment.variables)
    try configuration.refuseMalformed()
    guard let value = try Self.value(of: key, in: configuration) else {
      throw Failure(.failure, "\(key.text): is not set (downbeat config list shows all settings)")
    }
    try Terminal.output(data: Self.lines(value))
  }

  private static func value(
    of key: SettingKey, in configuration: Configuration
  ) throws -> TOMLValue? {
    let name = key.path.last ?? ""
    let commands = try CommandDescription.root().all
    let command = commands.first { Array($0.words.dropFirst()) == key.table }
    if let command, let option = command.option(name) {
      return SettingLayers(
        command: command, configuration: configuration, environment: Environment.variables,
        profile: nil
      ).place(of: option)?.value
    }
    // This variable is for all commands that have the option.
    if key.table.isEmpty, let text = Environment.variables[SettingLayers.variable(name)],
      commands.contains(where: { $0.option(name) != nil })
    {
      return .text(text)
    }
    return configuration.settings.first { $0.path == key.path }?.value
  }

  private static func lines(_ value: TOMLValue) -> [String] {
    switch value {
    case .text(let text), .decimal(let text): [text]
    case .integer(let number): ["\(number)"]
    case .bool(let flag): ["\(flag)"]
    case .array(let values): values.flatMap(lines)
    }
  }
}
