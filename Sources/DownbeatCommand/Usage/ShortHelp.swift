// SPDX-License-Identifier: Apache-2.0
internal import CommandKit

/// The help of a command on one page, for commands whose help has more than 80 lines: what it does,
/// three examples, and the options that most people use.
struct ShortHelp {
  /// The lines, at most 80 in the usual width; `HelpLayout` breaks them.
  let lines: [String]

  /// Creates the page; nil for a command whose whole help is a page.
  ///
  /// - Parameter path: the command.
  /// - Throws: an error if the parser's description cannot be read.
  init?(_ path: CommandPath) throws {
    let name = path.names.joined(separator: " ")
    guard let groups = CommonOptions.groups[name] else { return nil }
    let command = try CommandDescription(of: path)
    let whole = command.words.joined(separator: " ")
    var lines = [command.summary, ""]
    lines += Self.block("EXAMPLES:", of: command.discussion, count: 3)
    if let heading = CommonOptions.sections[name] {
      lines += Self.block(heading, of: command.discussion, count: .max)
    }
    lines += ["USAGE: \(whole) \(Self.usage(of: command))"]
    for (heading, keys) in groups {
      let options = keys.compactMap(command.option)
      guard !options.isEmpty else { continue }
      lines += ["", "\(heading):"] + options.flatMap { Self.lines(of: $0) }
    }
    let rest = command.settable.count - groups.flatMap(\.options).count
    self.lines = lines + ["", "\(whole) --help-all: \(rest) more options and full details"]
  }

  /// The lines below a heading, up to an empty line.
  private static func block(_ heading: String, of discussion: String, count: Int) -> [String] {
    let lines = discussion.split(separator: "\n", omittingEmptySubsequences: false)
    let block = lines.drop { $0 != heading }.dropFirst().prefix { !$0.isEmpty }
    return block.isEmpty ? [] : [heading] + block.prefix(count).map(String.init) + [""]
  }

  private static func usage(of command: CommandDescription) -> String {
    let places = command.options.filter { $0.names.isEmpty }.map { argument in
      let name = "<\(argument.valueName ?? "")>\(argument.isRepeating ? " ..." : "")"
      return argument.isOptional ? "[\(name)]" : name
    }
    return (["[<options>]"] + places).joined(separator: " ")
  }

  /// An option and the first sentence of its text, in the columns of `HelpLayout`.
  private static func lines(of option: OptionDescription) -> [String] {
    let column = HelpLayout.textColumn
    let value = option.valueName.map { " <\($0)>" } ?? ""
    let label = "  " + option.names.joined(separator: ", ") + value
    let end = option.text.firstRange(of: ". ").map { option.text.index(after: $0.lowerBound) }
    let sentence = option.text[..<(end ?? option.text.endIndex)]
    guard label.count < column else {
      return [label, String(repeating: " ", count: column) + sentence]
    }
    return [label.padded(to: column) + sentence]
  }
}
