// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import JSONText
internal import WholeFiles

/// The words of the command line as they are before the parser reads them: it knows options, and
/// would take the name of a command that is mistyped for a file.
enum CommandWords {
  /// The words for the parser.
  ///
  /// - Throws: `Failure` with status 64 where a command is named that is not there.
  static func checked(_ words: [String]) throws(Failure) -> [String] {
    try words.prefix { $0 != "--" }.first(where: isDashedFile).map { word throws(Failure) in
      throw Failure(.usage, "\(word): a file whose name begins with a dash is written ./\(word)")
    }
    switch words.first {
    case "-V": return ["--version"] + words.dropFirst()
    case "help": try walk(words.dropFirst(), asksForHelp: true)
    default: try walk(words[...], asksForHelp: false)
    }
    return words
  }

  /// Whether a word begins with one dash and names a file, which the parser would take apart into
  /// options: one that is there, or one with a suffix.
  private static func isDashedFile(_ word: String) -> Bool {
    guard word.count > 2, word.hasPrefix("-"), !word.hasPrefix("--") else { return false }
    let suffix = word.split(separator: ".").dropFirst().last ?? ""
    return isFile(word) || (2...5).contains(suffix.count) && suffix.first?.isLetter == true
  }

  private static func walk(_ words: ArraySlice<String>, asksForHelp: Bool) throws(Failure) {
    var command: any ParsableCommand.Type = DownbeatCommand.self
    for word in words {
      let commands = command.configuration.subcommands
      guard !word.hasPrefix("-"), !commands.isEmpty, word != "help" else { return }
      guard let next = commands.first(where: { $0._commandName == word }) else {
        let mayBeFile = command == DownbeatCommand.self && !asksForHelp
        return try refuse(word, of: command, mayBeFile: mayBeFile)
      }
      command = next
    }
  }

  /// Refuses a word that is no command; one that may be a file only where it is like a command and
  /// there is no such file.
  private static func refuse(
    _ word: String, of command: any ParsableCommand.Type, mayBeFile: Bool
  ) throws(Failure) {
    let names = command.configuration.subcommands.map { $0._commandName }
    let near = NearestNames.nearest(to: word, among: names)
    if mayBeFile, near == nil || isFile(word) { return }
    let whole =
      command == DownbeatCommand.self ? "downbeat" : "downbeat \(command._commandName)"
    let hint = near.map { "did you mean \($0)? " } ?? ""
    let file = mayBeFile ? ", and no file of that name is there" : ""
    throw Failure(
      .usage, "'\(word)': is no command of \(whole)\(file) (\(hint)\(whole) --help lists them)")
  }

  private static func isFile(_ path: String) -> Bool { FolderListing.isThere(path) }
}
