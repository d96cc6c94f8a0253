// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit
internal import JSONText

/// A command with its options and subcommands, as the parser describes it.
package struct CommandDescription: Sendable {
  /// The words that call it: `downbeat`, `clock`, `send`.
  package let words: [String]
  /// The sentence that says what it does.
  package let summary: String
  /// What its help says beyond that.
  package let discussion: String
  package let options: [OptionDescription]
  package let subcommands: [CommandDescription]

  /// The whole command, for a manual.
  ///
  /// - Complexity: O(n) in all options of all commands; some milliseconds.
  package static func root() throws -> CommandDescription {
    let document = try JSONReader.read(Array(DownbeatCommand._dumpHelp().utf8))
    return CommandDescription(document["command"] ?? .null)
  }

  /// The command that words call, and how many of them name it; of its subcommands, no options.
  ///
  /// Words that name none are those of `play`.
  static func called(by words: [String]) throws -> (command: CommandDescription, count: Int) {
    let path = CommandPath(words)
    let named = path.names.isEmpty ? CommandPath([Play._commandName]) : path
    // Described without what is above it: all commands together take some milliseconds.
    let document = try JSONReader.read(Array(named.type._dumpHelp().utf8))
    let command = CommandDescription(
      document["command"] ?? .null, below: named.words.dropLast())
    return (command, path.names.count)
  }

  /// The command that a description in JSON holds, below those that `parents` name.
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

  /// The name of its page: `downbeat-clock-send`.
  package var pageName: String { words.joined(separator: "-") }

  /// This command and all below it.
  package var all: [CommandDescription] { [self] + subcommands.flatMap(\.all) }

  /// The options that a setting can give: not help and version, nor what a file is.
  var settable: [OptionDescription] {
    options.filter { !["help", "version", nil].contains($0.key) }
  }

  /// The option of a key; nil where there is none.
  func option(_ key: String) -> OptionDescription? { settable.first { $0.keys.contains(key) } }

  /// The keys of the options that words give, up to `--`.
  func keys(in words: [String]) -> Set<String> {
    words.prefix { $0 != "--" }.reduce(into: []) { keys, word in
      keys.formUnion(self.keys(in: word))
    }
  }

  /// The keys of one word: `--port=20:0`, `-p`, `-qs`, whose last letter may take a value.
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
