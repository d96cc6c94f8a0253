// SPDX-License-Identifier: Apache-2.0
internal import DownbeatCommand

/// The man page of one command.
///
/// Source: man-pages(7) for the order of the sections.
struct ManualPage {
  let command: CommandDescription
  /// The command `downbeat` itself, with all commands below it.
  let root: CommandDescription
  let version: String
  /// The date at the foot of the page, such as 2026-11-30; empty for none.
  let date: String

  /// The name of the file, such as `downbeat-play.1`.
  var fileName: String { "\(command.pageName).1" }

  /// The text of the page in the language of man pages.
  var text: String {
    var page = Roff()
    // The hyphens in this line are not typed by anyone, so they are not escaped.
    let title = command.pageName.uppercased()
    page.marked(#".TH "\#(title)" "1" "\#(date)" "downbeat \#(version)" "Downbeat""#)
    page.request("SH", "NAME")
    page.line("\(command.pageName) - \(summary)")
    page.request("SH", "SYNOPSIS")
    synopsis(on: &page)
    if isRoot || !prose.isEmpty { page.request("SH", "DESCRIPTION") }
    if isRoot { CommonSections.introduction.forEach { page.paragraph([$0[...]]) } }
    blocks(prose, on: &page)
    subcommands(on: &page)
    options(on: &page)
    for part in parts.dropFirst() {
      page.request("SH", part.title)
      blocks(part.lines, on: &page)
    }
    if isRoot { CommonSections.append(to: &page) }
    page.request("SH", "SEE ALSO")
    page.marked(neighbours.map { "\(Roff.bold($0))(1)" }.joined(separator: ", "))
    return page.text
  }

  private var isRoot: Bool { command.words == root.words }

  /// The summary for the section NAME: a lower-case first letter, and without the full stop.
  private var summary: String {
    let text = command.summary.hasSuffix(".") ? command.summary.dropLast() : command.summary[...]
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  private func synopsis(on page: inout Roff) {
    let name = Roff.bold(command.words.joined(separator: " "))
    if !command.subcommands.isEmpty {
      page.marked("\(name) \(Roff.italic("command")) [\(Roff.italic("options"))]")
    }
    if isRoot {
      page.request("br")
      page.marked("\(name) \(Roff.italic("file"))\(Roff.ellipsis)")
    }
    guard command.subcommands.isEmpty else { return }
    let arguments = command.options.filter(\.names.isEmpty).map { argument in
      let value =
        Roff.italic(argument.valueName ?? "") + (argument.isRepeating ? Roff.ellipsis : "")
      return argument.isOptional ? "[\(value)]" : value
    }
    let needed = command.options.filter { !$0.names.isEmpty && !$0.isOptional }.map { option in
      "\(Roff.bold(option.names.last ?? "")) \(Roff.italic(option.valueName ?? ""))"
    }
    let words = [name] + needed + ["[\(Roff.italic("options"))]"] + arguments
    page.marked(words.joined(separator: " "))
  }

  private func subcommands(on page: inout Roff) {
    guard !command.subcommands.isEmpty else { return }
    page.request("SH", "COMMANDS")
    for sub in command.subcommands {
      page.item("\(Roff.bold(sub.pageName))(1)", [sub.summary])
    }
  }

  private func options(on page: inout Roff) {
    let shown = command.options.filter { !$0.text.isEmpty }
    let titles = shown.reduce(into: [String?]()) { titles, option in
      if !titles.contains(option.section) { titles.append(option.section) }
    }
    for title in titles.sorted(by: { $0 == nil && $1 != nil }) {
      page.request("SH", (title ?? "Options").uppercased())
      for option in shown where option.section == title { item(option, on: &page) }
    }
  }

  private func item(_ option: OptionDescription, on page: inout Roff) {
    let names = option.names.map(Roff.bold).joined(separator: ", ")
    let isRepeating = option.isRepeating && !option.names.isEmpty
    let value = option.valueName.map { Roff.italic($0) + (isRepeating ? Roff.ellipsis : "") }
    let term = [names, value ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    var notes: [String] = []
    if !option.choices.isEmpty {
      notes.append("One of: \(option.choices.joined(separator: ", ")).")
    }
    if let value = option.defaultValue { notes.append("Default: \(value).") }
    page.item(term, [option.text] + notes)
  }

  /// The lines of the discussion before its first heading.
  private var prose: [Substring] { parts[0].lines }

  /// The discussion, split at its headings, which are capital letters before a colon.
  ///
  /// The first part is without a heading. Sentences after the indented lines of an example become
  /// notes.
  private var parts: [(title: String, lines: [Substring])] {
    var parts: [(title: String, lines: [Substring])] = [("", [])]
    for line in command.discussion.split(separator: "\n", omittingEmptySubsequences: false) {
      if let colon = line.firstIndex(of: ":"), Self.isHeading(line[..<colon]) {
        parts.append(
          (String(line[..<colon]), [line[line.index(after: colon)...].drop { $0 == " " }]))
      } else if Self.beginsNotes(line, after: parts[parts.count - 1]) {
        parts.append(("NOTES", [line]))
      } else {
        parts[parts.count - 1].lines.append(line)
      }
    }
    return parts
  }

  private static func isHeading(_ text: Substring) -> Bool {
    text.count > 3 && text.allSatisfy { $0.isUppercase || $0 == " " }
  }

  private static func beginsNotes(
    _ line: Substring, after part: (title: String, lines: [Substring])
  ) -> Bool {
    guard !part.title.isEmpty, part.title != "NOTES", part.lines.last?.isEmpty ?? false else {
      return false
    }
    return !line.isEmpty && !line.hasPrefix(" ") && part.lines.contains { $0.hasPrefix(" ") }
  }

  /// Adds paragraphs of prose, and keeps the form of indented lines.
  private func blocks(_ lines: [Substring], on page: inout Roff) {
    for block in lines.split(whereSeparator: \.isEmpty) {
      var rest = block
      while let first = rest.first {
        let isIndented = first.hasPrefix(" ")
        let run = rest.prefix { $0.hasPrefix(" ") == isIndented }
        if isIndented { page.verbatim(Array(run)) } else { page.paragraph(Array(run)) }
        rest = rest.dropFirst(run.count)
      }
    }
  }

  /// The pages above this one and at the same level.
  ///
  /// For `downbeat` itself, these are all pages.
  private var neighbours: [String] {
    guard !isRoot else {
      return root.all.dropFirst().map(\.pageName) + ["aplaymidi", "fluidsynth"]
    }
    let parent = root.all.first { $0.words == Array(command.words.dropLast()) }
    let beside = parent.map { $0.words == root.words ? [] : $0.subcommands.map(\.pageName) } ?? []
    return [root.pageName] + (parent.map { $0.words == root.words ? [] : [$0.pageName] } ?? [])
      + beside.filter { $0 != command.pageName }
  }
}
