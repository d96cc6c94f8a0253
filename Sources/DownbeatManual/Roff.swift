// SPDX-License-Identifier: Apache-2.0

/// Text in the language of man pages.
///
/// Source: man(7), groff_man(7).
struct Roff {
  private(set) var text = ""

  /// Adds a request such as `.SH`, with its arguments in quotation marks.
  mutating func request(_ name: String, _ arguments: String...) {
    let quoted = arguments.map { " \"\(Self.escaped($0).replacing("\"", with: "\\(dq"))\"" }
    text += ".\(name)\(quoted.joined())\n"
  }

  /// Adds lines that are filled to the page's width.
  mutating func paragraph(_ lines: [Substring]) {
    separate()
    lines.forEach { line(String($0)) }
  }

  /// Adds lines without filling them.
  mutating func verbatim(_ lines: [Substring]) {
    separate()
    text += ".RS 4\n.nf\n"
    let margin = lines.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    lines.forEach { line(String($0.dropFirst(margin))) }
    text += ".fi\n.RE\n"
  }

  /// Starts a paragraph, unless a heading has just started one.
  private mutating func separate() {
    let last = text.split(separator: "\n").last
    if last?.hasPrefix(".SH") != true { text += ".PP\n" }
  }

  /// Adds a term in bold, followed by its description.
  mutating func item(_ term: String, _ lines: [String]) {
    text += ".TP\n\(term)\n"
    lines.forEach { line($0) }
  }

  /// Adds a line of text.
  mutating func line(_ line: String) {
    let escaped = Self.escaped(line)
    // A line that starts with a full stop or an apostrophe would be a request.
    text += (escaped.first.map { ".'".contains($0) } ?? false ? "\\&" : "") + escaped + "\n"
  }

  /// Adds a line that already contains markup.
  mutating func marked(_ line: String) { text += line + "\n" }

  static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }

  static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }

  /// Three points, which mean that there may be more.
  static let ellipsis = "\\|.\\|.\\|."

  /// Returns a text without markup.
  ///
  /// Hyphens can be copied to a shell, and characters outside ASCII are written as numbers, which
  /// every viewer of man pages supports.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { out, scalar in
      switch scalar {
      case "\\": out += "\\e"
      case "-": out += "\\-"
      case "`": out += "\\(ga"
      case "^": out += "\\(ha"
      case "~": out += "\\(ti"
      case "'": out += "\\(aq"
      case _ where scalar.isASCII: out.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        out += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
      }
    }
  }
}
