// SPDX-License-Identifier: Apache-2.0
internal import CommandKit

/// Lines of help in the width of a terminal, broken between words.
///
/// Paragraphs are filled. Tables keep their second column if it fits; otherwise, it moves below the
/// first. A command in an example that is too long continues after a backslash, so that it can be
/// copied. Lines of JSON and quotations are never broken.
struct HelpLayout {
  /// The column at which the texts of options start.
  static let textColumn = 26

  /// The indentation of texts below their label, on a narrow terminal.
  private static let narrowIndent = 8
  /// The minimum width of a second column.
  private static let leastText = 24

  private let width: Int
  private var lines: [String] = []
  /// The current paragraph or row, which is not complete; nil for none.
  private var open: (label: String, column: Int, text: String)?
  private var isInExamples = false
  private var isInOptions = false

  /// Breaks lines to a width.
  ///
  /// - Parameters:
  ///   - text: The lines: paragraphs, headings, tables and examples, and options after the line
  ///     `USAGE:`.
  ///   - columns: The width in characters.
  /// - Returns: The broken lines.
  static func lines(of text: [String], columns: Int) -> [String] {
    var layout = HelpLayout(width: columns)
    for (index, line) in text.enumerated() {
      let next = index + 1 < text.count ? text[index + 1] : ""
      layout.add(line, before: next)
    }
    layout.close()
    return layout.lines
  }

  private init(width: Int) { self.width = width }

  private mutating func add(_ line: String, before next: String) {
    let indent = line.prefix { $0 == " " }.count
    if indent == line.count {
      close()
      lines.append("")
    } else if indent > 0 {
      let isLabel = next.hasPrefix(String(repeating: " ", count: Self.textColumn))
      isInOptions ? addOption(line, indent, isLabel: isLabel) : addIndented(line, indent)
    } else if line.hasSuffix(":"), line == line.uppercased() {
      close()
      isInExamples = line == "EXAMPLES:"
      lines.append(line)
    } else if line.hasPrefix("USAGE: ") {
      close()
      (isInOptions, isInExamples) = (true, false)
      lines += Self.filled(line, width: width, hanging: 7)
    } else if open?.column == 0 {
      extend(with: line[...])
    } else {
      close()
      open = ("", 0, line)
    }
  }

  /// Adds an option, a subcommand, or a line of its text.
  private mutating func addOption(_ line: String, _ indent: Int, isLabel: Bool) {
    let column = Self.textColumn
    if indent >= column, open != nil {
      extend(with: line.dropFirst(indent))
      return
    }
    close()
    let label = line.prefix(column)
    if isLabel || line.count <= column {
      open = (line, column, "")
    } else if indent < Self.narrowIndent, label.hasSuffix(" ") {
      open = (String(label), column, String(line.dropFirst(column)))
    } else {
      lines += Self.filled(line, width: width, hanging: indent)
    }
  }

  /// Adds a line of an example or a table.
  private mutating func addIndented(_ line: String, _ indent: Int) {
    let content = line.dropFirst(indent)
    if let open, open.column > 0, open.column == indent {
      return extend(with: content)
    }
    close()
    let isCode = isInExamples || content.hasPrefix("downbeat ")
    if "{\"".contains(content.first ?? " ") {
      lines.append(line)
    } else if let (label, text) = Self.columns(of: content) {
      let column = line.count - text.count
      if isCode, indent + label.count > width {
        lines += Self.command(label, indent: indent, width: width)
        lines += Self.filled(text, width: width, indent: indent + 4)
      } else {
        open = (line.prefix(column).description, column, String(text))
      }
    } else if line.count <= width {
      lines.append(line)
    } else {
      lines +=
        isCode
        ? Self.command(content, indent: indent, width: width)
        : Self.filled(line, width: width, hanging: indent + 2)
    }
  }

  private mutating func extend(with text: Substring) {
    let before = open?.text ?? ""
    open?.text = before.isEmpty ? "\(text)" : "\(before) \(text)"
  }

  /// Completes the open paragraph or row.
  private mutating func close() {
    guard let open else { return }
    self.open = nil
    let label = open.label.withoutTrailingSpaces
    guard open.column > 0 else { return lines += Self.filled(open.text, width: width) }
    if width - open.column < Self.leastText {
      let indent = isInOptions ? Self.narrowIndent : open.label.prefix { $0 == " " }.count + 4
      lines += [label] + Self.filled(open.text, width: width, indent: indent)
      return
    }
    let rows = Self.filled(open.text, width: width, indent: open.column)
    guard label.count < open.column, let first = rows.first else { return lines += [label] + rows }
    lines.append(label.padded(to: open.column) + first.dropFirst(open.column))
    lines += rows.dropFirst()
  }

  /// Returns the last two columns of a row, which are separated by two or more spaces; nil for
  /// other lines.
  private static func columns(of content: Substring) -> (label: Substring, text: Substring)? {
    guard let gap = content.ranges(of: "  ").last else { return nil }
    let text = content[gap.upperBound...].drop { $0 == " " }
    return text.isEmpty ? nil : (content[..<gap.lowerBound], text)
  }

  /// Returns text in lines of a width, broken at spaces.
  ///
  /// If the text is a comment, each line starts with `#`.
  ///
  /// - Parameters:
  ///   - text: The text. Spaces at its start indent the first line.
  ///   - width: The maximum number of columns in a line. A longer word is put on a separate line.
  ///   - indent: The number of spaces before every line.
  ///   - hanging: The number of spaces before every line except the first, in addition to `indent`.
  /// - Returns: The lines; empty for a text without words.
  static func filled(
    _ text: some StringProtocol, width: Int, indent: Int = 0, hanging: Int = 0
  ) -> [String] {
    var lines: [String] = []
    let start = indent + text.prefix { $0 == " " }.count
    let mark = text.hasPrefix("# ") ? "# " : ""
    for word in text.split(whereSeparator: \.isWhitespace) {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        let spaces = lines.isEmpty ? start : indent + hanging
        let mark = lines.isEmpty ? "" : mark
        lines.append(String(repeating: " ", count: spaces) + mark + word)
      }
    }
    return lines
  }

  /// Returns a command in several lines.
  ///
  /// Each line except the last ends with a backslash.
  private static func command(_ text: Substring, indent: Int, width: Int) -> [String] {
    var lines: [String] = []
    for word in parts(of: text) {
      if let last = lines.last, last.count + word.count + 3 <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        let spaces = lines.isEmpty ? indent : indent + 4
        lines.append(String(repeating: " ", count: spaces) + word)
      }
    }
    return lines.dropLast().map { "\($0) \\" } + lines.suffix(1)
  }

  /// Returns the parts of a command that must stay on one line: words, and options with their
  /// values.
  ///
  /// A quotation is part of one word.
  private static func parts(of text: Substring) -> [String] {
    words(of: text).reduce(into: []) { parts, word in
      if let last = parts.last, last.hasPrefix("-"), !last.contains(" "), !word.hasPrefix("-") {
        parts[parts.count - 1] = "\(last) \(word)"
      } else {
        parts.append(word)
      }
    }
  }

  private static func words(of text: Substring) -> [String] {
    var words = [""]
    var quote: Character?
    for character in text {
      if character == " ", quote == nil {
        words.append("")
        continue
      }
      if quote == nil, "'\"".contains(character) {
        quote = character
      } else if quote == character {
        quote = nil
      }
      words[words.count - 1].append(character)
    }
    return words.filter { !$0.isEmpty }
  }
}
