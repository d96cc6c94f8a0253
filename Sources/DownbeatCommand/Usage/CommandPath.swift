// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit

/// The command that words name, found without the parser.
struct CommandPath {
  /// The type of the command.
  let type: any ParsableCommand.Type
  /// The names of the commands below `downbeat`, such as `clock`, `send`; empty for `downbeat`
  /// itself.
  let names: [String]

  /// Follows words from `downbeat` to the first word that is not a subcommand.
  ///
  /// - Parameter words: The words of the command line, without the name of the program.
  init(_ words: some Sequence<String>) {
    var (type, names): (any ParsableCommand.Type, [String]) = (DownbeatCommand.self, [])
    for word in words {
      let below = type.configuration.subcommands
      guard let next = below.first(where: { $0.isCalled(word) }) else { break }
      (type, names) = (next, names + [next._commandName])
    }
    self.type = type
    self.names = names
  }

  /// All words that name the command.
  var words: [String] { [DownbeatCommand._commandName] + names }

  /// True for a command without subcommands.
  var isLeaf: Bool { type.configuration.subcommands.isEmpty }
}
