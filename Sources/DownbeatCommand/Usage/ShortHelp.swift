// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit
internal import PlayerControl

/// The help of a command on one page, for commands whose full help has more than 80 lines.
///
/// It contains a summary, three examples, and the most common options.
struct ShortHelp {
  /// An option in the form of the full help.
  private struct Option {
    /// The names and the value, such as `-p, --port <client:port>`.
    let label: String
    let text: String

    /// Returns true if the option has a name.
    func isNamed(_ name: String) -> Bool {
      label.split(whereSeparator: { " ,/".contains($0) }).contains { $0 == "--\(name)" }
    }
  }

  /// The lines, at most 80 in the default width, before `HelpLayout` breaks them.
  let lines: [String]

  /// Selects the lines of the page; nil for a command whose full help is short enough.
  ///
  /// The options are read from the full page, because the parser's JSON description would take as
  /// long again.
  ///
  /// - Parameters:
  ///   - path: The command.
  ///   - whole: The lines of the full page, before they are broken.
  init?(_ path: CommandPath, from whole: [String]) {
    let name = path.names.joined(separator: " ")
    guard let groups = CommonOptions.groups[name] else { return nil }
    let (summary, discussion) = (
      path.type.configuration.abstract, path.type.configuration.discussion
    )
    let options = Self.options(in: whole)
    var lines = [summary, ""] + Self.block("EXAMPLES:", of: discussion, count: 3)
    if let heading = CommonOptions.sections[name] {
      lines += Self.block(heading, of: discussion, count: .max)
    }
    lines += whole.filter { $0.hasPrefix("USAGE: ") }
    for (heading, names) in groups {
      let shown = names.compactMap { name in options.first { $0.isNamed(name) } }
      guard !shown.isEmpty else { continue }
      lines += ["", "\(heading):"] + shown.flatMap(Self.lines)
    }
    let common = groups.flatMap(\.options)
    let rest = options.count { option in !common.contains { option.isNamed($0) } }
    let more = rest == 0 ? "" : "\(rest.counted("more option")) and "
    let command = path.words.joined(separator: " ")
    self.lines = lines + ["", "\(command) --help-all: \(more)full details"]
  }

  /// Returns the lines below a heading, up to an empty line.
  private static func block(_ heading: String, of discussion: String, count: Int) -> [String] {
    let lines = discussion.split(separator: "\n", omittingEmptySubsequences: false)
    let block = lines.drop { $0 != heading }.dropFirst().prefix { !$0.isEmpty }
    return block.isEmpty ? [] : [heading] + block.prefix(count).map(String.init) + [""]
  }

  /// Returns the options on a page, without help and version.
  private static func options(in page: [String]) -> [Option] {
    let column = HelpLayout.textColumn
    let usage = page.firstIndex { $0.hasPrefix("USAGE: ") } ?? 0
    return page.indices.dropFirst(usage).compactMap { index in
      let line = page[index]
      guard line.hasPrefix("  -") else { return nil }
      let next = index + 1 < page.count ? page[index + 1] : ""
      let isBelow = next.hasPrefix(String(repeating: " ", count: column))
      let option = Option(
        label: String(isBelow ? line[...] : line.prefix(column)).withoutTrailingSpaces,
        text: String(isBelow ? next.dropFirst(column) : line.dropFirst(column)))
      return option.isNamed("help") || option.isNamed("version") ? nil : option
    }
  }

  /// Returns an option and the first sentence of its text, in the columns of `HelpLayout`.
  private static func lines(of option: Option) -> [String] {
    let column = HelpLayout.textColumn
    let end = option.text.firstRange(of: ". ").map { option.text.index(after: $0.lowerBound) }
    let sentence = option.text[..<(end ?? option.text.endIndex)]
    guard option.label.count < column else {
      return [option.label, String(repeating: " ", count: column) + sentence]
    }
    return [option.label.padded(to: column) + sentence]
  }
}
