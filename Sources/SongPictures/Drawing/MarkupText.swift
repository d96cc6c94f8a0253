// SPDX-License-Identifier: Apache-2.0
internal import JSONText

/// Text for SVG and HTML: control characters are shown as bytes (`\x1B`), and markup is escaped.
package enum MarkupText {
  /// The text on one line, with control characters shown as bytes (`\x1B`).
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
      // Not characters in XML 1.0.
      case "\u{FFFE}", "\u{FFFF}": escaped += "·"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
