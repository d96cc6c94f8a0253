// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit
internal import Downbeat
internal import PlayerViews
internal import TerminalViews

/// A page of help in the width of the terminal.
struct HelpPage {
  /// The lines of the page.
  let lines: [String]

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - request: The requested page.
  ///   - columns: The width of the lines in characters.
  init(_ request: HelpRequest, columns: Int) {
    switch request.subject {
    case .keys: lines = HelpLayout.lines(of: Self.keys, columns: columns)
    case .help: lines = HelpLayout.lines(of: Self.help, columns: columns)
    case .command(let path):
      let whole = Self.whole(path, isWhole: request.isWhole)
      if !request.isWhole, let short = ShortHelp(path, from: whole) {
        lines = HelpLayout.lines(of: short.lines, columns: columns)
      } else {
        let closing = path.names.isEmpty ? Self.closing(isWhole: request.isWhole) : []
        lines =
          HelpLayout.lines(of: whole, columns: columns)
          + closing.flatMap { HelpLayout.filled($0, width: columns) }
      }
    }
  }

  /// A width above that of every line, because `HelpLayout` breaks the lines instead of the parser.
  private static let unlimited = 10_000

  /// Returns the page of the parser, with all words of the command.
  ///
  /// Only this command is described, because the description of all commands takes some
  /// milliseconds.
  private static func whole(_ path: CommandPath, isWhole: Bool) -> [String] {
    let text = path.type.helpMessage(includeHidden: false, columns: unlimited)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    while lines.last?.isEmpty == true { lines.removeLast() }
    guard let name = path.names.last else { return start(lines, withAll: isWhole) }
    let (usage, whole) = ("USAGE: \(name)", "USAGE: \(path.words.joined(separator: " "))")
    lines = lines.flatMap { line in
      if line.hasPrefix("  -h, --help ") { return [version, line] }
      return [line.hasPrefix(usage) ? whole + line.dropFirst(usage.count) : line]
    }
    if !path.isLeaf {
      let names = path.names.joined(separator: " ")
      lines.removeLast()
      lines.append("  See 'downbeat help \(names) <subcommand>' for detailed help.")
    }
    return lines
  }

  private static let version = entry("--version", "Show the version.")

  /// Returns the page of `downbeat` itself.
  ///
  /// The full page includes the subcommands of its commands.
  private static func start(_ lines: [String], withAll: Bool) -> [String] {
    let lines = lines.dropLast()
    guard withAll else { return Array(lines) }
    return lines.flatMap { line in
      let name = line.hasPrefix("  ") ? String(line.dropFirst(2).prefix { $0 != " " }) : ""
      let path = CommandPath([name])
      guard !path.names.isEmpty else { return [line] }
      return [line]
        + path.type.configuration.subcommands.map {
          entry("\(name) \($0._commandName)", $0.configuration.abstract)
        }
    }
  }

  /// Returns the lines that name the other pages.
  private static func closing(isWhole: Bool) -> [String] {
    isWhole
      ? ["downbeat COMMAND --help-all: all options of a command; man downbeat: the manual"]
      : [
        "downbeat help COMMAND: options of a command",
        "downbeat help keys: keys of the live display",
        "downbeat --help-all: the subcommands, too",
      ]
  }

  /// Returns a label and its text in two columns.
  private static func entry(_ label: String, _ text: String) -> String {
    "  \(label)".padded(to: HelpLayout.textColumn - 1) + " " + text
  }

  private static let help: [String] = [
    "Show the help of a command.", "", "EXAMPLES:",
    "  downbeat help                     all commands",
    "  downbeat help play                the common options of play",
    "  downbeat help play --help-all     all options of play",
    "  downbeat help clock send          a subcommand",
    "  downbeat help keys                the keys of the live display", "",
    "USAGE: downbeat help [<command> ...]",
  ]

  /// The page on the keys of the players, with those of the user's settings if they can be read.
  private static var keys: [String] {
    var settings = LiveSettings()
    do {
      settings = try LiveSettings(Configuration(environment: Environment.variables))
    } catch {
      // The error is reported by `downbeat config check`. Help works without settings.
    }
    let keys = settings.keys.help(hasBar: true)
    let column = (keys.map(\.keys.count).max() ?? 0) + 2
    return ["Keys of the live display of play, sound play and synth.", "", "KEYS:"]
      + keys.map { "  \($0.keys.padded(to: column))\($0.action)" }
      + ["", "The table [keys] of the settings changes them (downbeat help config)."]
  }
}
