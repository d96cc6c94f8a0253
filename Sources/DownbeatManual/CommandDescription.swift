// SPDX-License-Identifier: Apache-2.0
internal import JSONText

/// A command with its options and subcommands, as the parser describes it.
struct CommandDescription {
  /// The words that call it: `downbeat`, `clock`, `send`.
  let words: [String]
  /// The sentence that says what it does.
  let summary: String
  /// What its help says beyond that.
  let discussion: String
  let options: [OptionDescription]
  let subcommands: [CommandDescription]

  /// The command that a description in JSON holds, below those that `parents` name.
  init(_ value: JSONValue, below parents: [String] = []) {
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
  var pageName: String { words.joined(separator: "-") }

  /// This command and all below it.
  var all: [CommandDescription] { [self] + subcommands.flatMap(\.all) }
}
