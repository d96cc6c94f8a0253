// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit

/// The page of help that words request.
struct HelpRequest {
  /// The subject of a page.
  enum Subject {
    case command(CommandPath)
    /// The keys of the players.
    case keys
    /// The command `help` itself.
    case help
  }

  let subject: Subject
  /// True for all options, false for the most common ones.
  let isWhole: Bool

  private static let flags = ["-h", "--help", CommandWords.wholeHelp]

  /// Reads words that only request help, such as `help play` or `play --help`; nil for other words.
  ///
  /// An empty array requests the start page.
  ///
  /// - Parameter words: The words of the command line, without the name of the program.
  init?(_ words: [String]) {
    var names = words.filter { !Self.flags.contains($0) }
    let asksByName = words.first == "help"
    guard words.isEmpty || asksByName || names.count < words.count else { return nil }
    isWhole = words.contains(CommandWords.wholeHelp)
    if asksByName {
      names.removeFirst()
      if let subject = Self.subject(named: names, of: words) {
        self.subject = subject
        return
      }
    }
    let path = CommandPath(names)
    // A name may be an alias of the command.
    guard path.names.count == names.count else { return nil }
    subject = .command(path)
  }

  /// Reads words that the parser accepts as a request for help.
  ///
  /// - Parameter words: The words of the command line, without the name of the program.
  init(among words: [String]) {
    let words = words.prefix { $0 != "--" }
    let path = CommandPath(words.filter { !$0.hasPrefix("-") && $0 != "help" })
    let playsByDefault = path.names.isEmpty && words.contains { !$0.hasPrefix("-") }
    subject = .command(playsByDefault ? CommandPath([Play._commandName]) : path)
    isWhole = words.contains(CommandWords.wholeHelp)
  }

  /// Returns the subject of `help keys`, `help help` and `help --help`; nil for other words.
  private static func subject(named names: [String], of words: [String]) -> Subject? {
    switch names {
    case ["keys"]: .keys
    case ["help"]: .help
    case [] where words.count > 1: .help
    default: nil
    }
  }
}
