// SPDX-License-Identifier: Apache-2.0
internal import PlayerControl

/// The help of a command on one page, for commands whose help has more than 80 lines: what it does,
/// three examples, and the options that most people use.
struct ShortHelp {
  /// The lines, at most 80.
  let lines: [String]

  /// Creates the page; nil for a command whose whole help is a page.
  ///
  /// - Parameters:
  ///   - words: the words that were typed, `--help` or `help` among them.
  ///   - columns: the width of the lines.
  /// - Throws: an error if the parser's description cannot be read.
  init?(_ words: [String], columns: Int) throws {
    let path = words.filter { $0 != "help" && !$0.hasPrefix("-") }
    let (command, count) = try CommandDescription.called(by: path)
    let name = command.words.dropFirst().joined(separator: " ")
    guard count > 0, let groups = CommonOptions.groups[name] else { return nil }
    let whole = command.words.joined(separator: " ")
    var lines = Self.wrapped(command.summary, columns) + [""]
    lines += Self.block("EXAMPLES:", of: command.discussion, count: 3)
    if let heading = CommonOptions.sections[name] {
      lines += Self.block(heading, of: command.discussion, count: .max)
    }
    lines += ["USAGE: \(whole) \(Self.usage(of: command))"]
    for (heading, keys) in groups {
      let options = keys.compactMap(command.option)
      guard !options.isEmpty else { continue }
      lines += ["", "\(heading):"] + options.flatMap { Self.lines(of: $0, columns) }
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

  /// An option and the first sentence of its text in two columns.
  private static func lines(of option: OptionDescription, _ columns: Int) -> [String] {
    let value = option.valueName.map { " <\($0)>" } ?? ""
    let label = "  " + option.names.joined(separator: ", ") + value
    let end = option.text.firstRange(of: ". ").map { option.text.index(after: $0.lowerBound) }
    let sentence = option.text[..<(end ?? option.text.endIndex)]
    let text = wrapped(String(sentence), max(columns - column, 20))
    let rows = text.map { String(repeating: " ", count: column) + $0 }
    guard label.count + 1 < column, let first = text.first else { return [label] + rows }
    return [label + String(repeating: " ", count: column - label.count) + first]
      + rows.dropFirst()
  }

  /// The column at which the texts of options begin.
  private static let column = 26

  /// A text in lines of a width, broken at spaces.
  private static func wrapped(_ text: String, _ width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(whereSeparator: \.isWhitespace) {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
