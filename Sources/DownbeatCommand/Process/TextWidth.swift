// SPDX-License-Identifier: Apache-2.0

/// How many columns of a terminal text takes.
///
/// Source: Unicode Standard Annex 11, East Asian Width; the blocks that are wide throughout.
enum TextWidth {
  /// The columns of a text.
  static func columns(_ text: String) -> Int {
    text.reduce(0) { $0 + columns($1) }
  }

  /// The beginning of a text that fits, with `…` where something is left out.
  static func cut(_ text: String, to limit: Int) -> String {
    guard columns(text) > limit else { return text }
    var kept = ""
    var left = limit - 1
    for character in text {
      left -= columns(character)
      guard left >= 0 else { break }
      kept.append(character)
    }
    return limit > 0 ? kept + "…" : ""
  }

  /// The widest of its parts: accents stand on their letters.
  private static func columns(_ character: Character) -> Int {
    character.unicodeScalars.map(columns).max() ?? 0
  }

  private static func columns(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF,
      0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
