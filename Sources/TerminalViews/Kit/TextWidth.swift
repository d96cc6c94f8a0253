// SPDX-License-Identifier: Apache-2.0

/// Computes the number of terminal columns that text needs.
///
/// Source: Unicode Standard Annex 11, East Asian Width; the blocks that are wide throughout.
package enum TextWidth {
  /// The columns of a text.
  package static func columns(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + columns($1) }
  }

  /// The beginning of a text, cut to a number of columns, with `…` at a cut.
  package static func cut(_ text: String, to limit: Int) -> String {
    guard columns(text) > limit else { return text }
    var kept = ""
    var left = limit - 1
    for character in text {
      left -= columns(String(character))
      guard left >= 0 else { break }
      kept.append(character)
    }
    return limit > 0 ? kept + "…" : ""
  }

  /// A text shortened to a number of columns, with `…` in its middle.
  ///
  /// Both ends of a file name are kept, because they identify the file.
  package static func shortened(_ text: String, to limit: Int) -> String {
    guard columns(text) > limit, limit > 2 else { return cut(text, to: limit) }
    let end = (limit - 1) / 2
    var (kept, left) = ([Character](), end)
    for character in text.reversed() {
      left -= columns(String(character))
      guard left >= 0 else { break }
      kept.append(character)
    }
    return cut(text, to: limit - columns(String(kept))) + String(kept.reversed())
  }

  /// Breaks a text into lines at spaces.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - width: The maximum number of columns in a line; a longer word gets a separate line.
  /// - Returns: The lines, at least one.
  package static func lines(of text: String, width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, columns(last) + 1 + columns(String(word)) <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines.isEmpty ? [""] : lines
  }

  /// The columns of a scalar: 0 for combining marks and invisible characters.
  package static func columns(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    switch scalar.value {
    // The later parts of a Korean syllable are shown in the cells of its first.
    case 0x1160...0x11FF: return 0
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF,
      0x20000...0x3FFFD:
      return 2
    // Each half of a flag.
    case 0x1F1E6...0x1F1FF: return 1
    default: return scalar.properties.isEmojiPresentation ? 2 : 1
    }
  }
}
