// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
internal import JSONText
internal import PlayerControl
internal import WholeFiles

/// Checks the arguments before the parser reads them.
///
/// The parser would treat the misspelt name of a command as a file.
package enum CommandWords {
  /// The option that shows the whole help; `--help` shows a page of it.
  package static let wholeHelp = "--help-all"

  /// Checks the arguments, and returns them for the parser.
  ///
  /// - Parameters:
  ///   - words: The arguments, without the program's name.
  ///   - root: The main command.
  /// - Returns: The arguments, with `--version` for `-V`.
  /// - Throws: `Failure` with exit status 64 for a command that does not exist.
  package static func checked(
    _ words: [String], root: any ParsableCommand.Type
  ) throws(Failure) -> [String] {
    try words.prefix { $0 != "--" }.first(where: isDashedFile).map { word throws(Failure) in
      throw Failure(
        .usage, "\(word): looks like an option (for a file of this name, write ./\(word))")
    }
    switch words.first {
    case "-V": return ["--version"] + words.dropFirst()
    case "help": try checkHelp(words.dropFirst(), root)
    case _ where asksForHelp(words, root): return ["help"] + words.dropLast()
    default: try walk(words[...], root, asksForHelp: false)
    }
    return words
  }

  /// True for the names of a command with subcommands, followed by `help`.
  private static func asksForHelp(_ words: [String], _ root: any ParsableCommand.Type) -> Bool {
    guard words.count > 1, words.last == "help" else { return false }
    var command = root
    for word in words.dropLast() {
      let commands = command.configuration.subcommands
      guard let next = commands.first(where: { $0.isCalled(word) }) else { return false }
      command = next
    }
    return !command.configuration.subcommands.isEmpty
  }

  /// The arguments for the parser, which knows only one option for help.
  ///
  /// - Parameter words: The arguments, without the program's name.
  /// - Returns: The arguments, with `--help` for `--help-all`.
  package static func parsed(_ words: [String]) -> [String] {
    let end = words.firstIndex(of: "--") ?? words.endIndex
    return words[..<end].map { $0 == wholeHelp ? "--help" : $0 } + words[end...]
  }

  /// The help subjects that are not commands.
  private static let helpSubjects = ["keys", "help"]

  /// Throws if the words after `help` do not name a page.
  private static func checkHelp(
    _ words: ArraySlice<String>, _ root: any ParsableCommand.Type
  ) throws(Failure) {
    let names = words.filter { !$0.hasPrefix("-") }
    if names.count == 1, helpSubjects.contains(names[0]) { return }
    try walk(names[...], root, asksForHelp: true)
  }

  /// True if a word begins with one dash but names a file, which the parser would split into
  /// options: a file that exists, or a name with a suffix.
  private static func isDashedFile(_ word: String) -> Bool {
    guard word.count > 2, word.hasPrefix("-"), !word.hasPrefix("--") else { return false }
    let suffix = word.split(separator: ".").dropFirst().last ?? ""
    return isFile(word) || (2...5).contains(suffix.count) && suffix.first?.isLetter == true
  }

  private static func walk(
    _ words: ArraySlice<String>, _ root: any ParsableCommand.Type, asksForHelp: Bool
  ) throws(Failure) {
    var command = root
    for word in words {
      let commands = command.configuration.subcommands
      if asksForHelp, commands.isEmpty {
        let isCommand = root.configuration.subcommands.contains { $0.isCalled(word) }
        let page = isCommand ? word : words.prefix { $0 != word }.joined(separator: " ")
        throw Failure(
          .usage,
          "'\(word)': not a subcommand of \(command._commandName) (try downbeat help \(page))")
      }
      guard !word.hasPrefix("-"), !commands.isEmpty, asksForHelp || word != "help" else { return }
      guard let next = commands.first(where: { $0.isCalled(word) }) else {
        let whole = command == root ? "downbeat" : "downbeat \(command._commandName)"
        let mayBeFile = command == root && !asksForHelp
        return try refuse(word, of: command, named: whole, mayBeFile: mayBeFile)
      }
      command = next
    }
  }

  /// Throws for a word that is not a command.
  ///
  /// If it may be a file, it throws only if the word resembles a command and the file does not
  /// exist.
  private static func refuse(
    _ word: String, of command: any ParsableCommand.Type, named whole: String, mayBeFile: Bool
  ) throws(Failure) {
    if whole == "downbeat", !mayBeFile || !isFile(word), let ours = advice(for: word) {
      throw Failure(.usage, "\(word): not a command (try \(ours))")
    }
    let names = command.configuration.subcommands.map { $0._commandName } + ["help"]
    let meant = foreignSubcommands[word].flatMap { names.contains($0) ? $0 : nil }
    let near = meant ?? NearestNames.nearest(to: word.lowercased(), among: names)
    if mayBeFile, near == nil || isFile(word) { return }
    let hint = near.map { "did you mean \($0)? " } ?? ""
    let file = mayBeFile ? " or file" : ""
    throw Failure(
      .usage, "'\(word)': no such \(whole) command\(file) (\(hint)\(whole) --help lists them)")
  }

  /// The command to type instead of a word that is not a command; nil if none is known.
  private static func advice(for word: String) -> String? {
    if let ours = foreignCommands[word.lowercased()] { return ours }
    return ControlVerb(rawValue: word).map { "downbeat ctl \($0.rawValue)" }
  }

  /// The names of subcommands in other programs, with the names here.
  private static let foreignSubcommands = [
    "read": "watch", "listen": "watch", "monitor": "watch", "receive": "watch", "start": "send",
    "master": "send", "ls": "list", "trim": "cut", "concat": "join", "dump": "presets",
  ]

  /// The first words that users of other programs type, with the command to type here.
  private static let foreignCommands = [
    "list": "downbeat ports list, downbeat devices", "ls": "downbeat ports list, downbeat devices",
    "version": "downbeat --version", "export": "downbeat render", "wav": "downbeat render",
    "midi2wav": "downbeat render", "dump": "downbeat events", "midicsv": "downbeat events --csv",
    "show": "downbeat info", "probe": "downbeat info", "connect": "downbeat ports connect",
    "disconnect": "downbeat ports disconnect", "aseqdump": "downbeat monitor",
    "sync": "downbeat clock watch", "serve": "downbeat clock serve",
    "fonts": "downbeat soundfont list", "transpose": "downbeat edit --do 'transpose 2'",
    "merge": "downbeat edit --do merge", "resume": "downbeat ctl play",
    "usage": "downbeat --help", "metronome": "downbeat play song.mid --metronome",
    "link": "downbeat play song.mid --sync link", "timecode": "downbeat mtc, downbeat ltc",
    "daemon": "downbeat synth", "server": "downbeat synth", "trim": "downbeat sound cut",
    "midi": "downbeat ports", "settings": "downbeat config", "setup": "downbeat doctor",
    "keys": "downbeat help keys", "man": "man downbeat",
  ]

  private static func isFile(_ path: String) -> Bool { FolderListing.isThere(path) }
}

extension ParsableCommand {
  /// True if a word is the name or an alias of the command.
  package static func isCalled(_ word: String) -> Bool {
    _commandName == word || configuration.aliases.contains(word)
  }
}
