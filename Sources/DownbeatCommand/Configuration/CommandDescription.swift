// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit
internal import JSONText

/// A command with its options and subcommands, as the parser describes them.
package struct CommandDescription: Sendable {
  /// The words that name the command, such as `downbeat`, `clock`, `send`.
  package let words: [String]
  /// A sentence that describes the command.
  package let summary: String
  /// The rest of the description in its help.
  package let discussion: String
  package let options: [OptionDescription]
  package let subcommands: [CommandDescription]

  /// The description of the whole program, for a manual.
  ///
  /// - Complexity: O(n) in all options of all commands; some milliseconds.
  package static func root() throws -> CommandDescription {
    let document = try JSONReader.read(Array(DownbeatCommand._dumpHelp().utf8))
    return CommandDescription(document["command"] ?? .null)
  }

  /// Returns the command that the words name, without the options of its subcommands, and the
  /// number of words that name it.
  ///
  /// If the words do not name a command, it is `play`.
  static func called(by words: [String]) throws -> (command: CommandDescription, count: Int) {
    let path = CommandPath(words)
    let named = path.names.isEmpty ? CommandPath([Play._commandName]) : path
    // Only this command is described, because the description of all commands takes some
    // milliseconds.
    let document = try JSONReader.read(Array(named.type._dumpHelp().utf8))
    let command = CommandDescription(
      document["command"] ?? .null, below: named.words.dropLast())
    return (command, path.names.count)
  }

  /// Creates the description of a command from JSON, below the commands in `parents`.
  private init(_ value: JSONValue, below parents: [String] = []) {
    let words = parents + [value["commandName"]?.string ?? ""]
    self.words = words
    summary = value["abstract"]?.string ?? ""
    discussion = value["discussion"]?.string ?? ""
    options = (value["arguments"]?.elements ?? []).compactMap(OptionDescription.init)
    subcommands = (value["subcommands"]?.elements ?? [])
      .filter { $0["commandName"]?.string != "help" }
      .map { CommandDescription($0, below: words) }
  }

  /// The name of the manual page, such as `downbeat-clock-send`.
  package var pageName: String { words.joined(separator: "-") }

  /// This command and all commands below it.
  package var all: [CommandDescription] { [self] + subcommands.flatMap(\.all) }

  /// The options that a setting can set.
  ///
  /// Help, the version and arguments are excluded.
  var settable: [OptionDescription] {
    options.filter { !["help", "version", nil].contains($0.key) }
  }

  /// Returns the option with a key; nil if it does not exist.
  func option(_ key: String) -> OptionDescription? { settable.first { $0.keys.contains(key) } }

  /// Returns the keys of the options among words, up to `--`.
  func keys(in words: [String]) -> Set<String> {
    words.prefix { $0 != "--" }.reduce(into: []) { keys, word in
      keys.formUnion(self.keys(in: word))
    }
  }

  /// Returns the keys of the options in one word, such as `--port=20:0`, `-p`, or `-qs`, whose last
  /// letter may have a value.
  private func keys(in word: String) -> [String] {
    guard word.hasPrefix("-") else { return [] }
    guard !word.hasPrefix("--") else {
      let name = word.prefix { $0 != "=" }
      return settable.filter { $0.names.contains(String(name)) }.compactMap(\.key)
    }
    var keys: [String] = []
    for letter in word.dropFirst() {
      guard let option = settable.first(where: { $0.names.contains("-\(letter)") }) else { break }
      keys += option.key.map { [$0] } ?? []
      if !option.isFlag { break }
    }
    return keys
  }
}
