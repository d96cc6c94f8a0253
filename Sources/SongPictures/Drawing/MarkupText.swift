// SPDX-License-Identifier: Apache-2.0
internal import JSONText

/// Text as it may stand in SVG and HTML: what steers is shown as bytes, `\x1B`, and what marks up is escaped.
package enum MarkupText {
  /// The text on one line, with `\x1B` for what steers.
  package static func plain(_ text: String) -> String { Printable.text(text) }

  package static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in Printable.text(text).unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      // No characters of XML 1.0.
      case "\u{FFFE}", "\u{FFFF}": escaped += "·"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
