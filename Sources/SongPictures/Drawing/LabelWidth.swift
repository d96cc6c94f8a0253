// SPDX-License-Identifier: Apache-2.0

/// Estimates the width of text, because a picture is laid out without knowing the viewer's font.
///
/// The widths are those of a wide font, DejaVu Sans, so the text also fits in other fonts.
enum LabelWidth {
  /// The width of a text in pixels.
  static func width(_ text: String, size: Double) -> Double {
    text.unicodeScalars.reduce(0) { $0 + width(of: $1) } * size
  }

  /// The text, shortened with `…` if it is wider than a limit; empty if nothing fits.
  static func cut(_ text: String, size: Double, to limit: Double) -> String {
    guard limit.isFinite else { return text }
    var (sum, kept) = (0.0, "")
    let room = limit / size - width(of: "…")
    for character in text {
      let width = character.unicodeScalars.reduce(0) { $0 + Self.width(of: $1) }
      if sum + width > room {
        return self.width(text, size: size) <= limit ? text : kept.isEmpty ? "" : kept + "…"
      }
      sum += width
      kept.append(character)
    }
    return text
  }

  private static func width(of scalar: Unicode.Scalar) -> Double {
    switch scalar {
    case "i", "j", "l", "I", ".", ",", ":", ";", "'", "|", "!", " ", "·": 0.33
    case "f", "r", "t", "(", ")", "[", "]", "/", "-", "1": 0.42
    case "m", "w", "M", "W", "@", "%", "…", "—": 1
    case "A"..."Z", "0"..."9", "#": 0.69
    default: scalar.value >= 0x1100 ? 1.05 : 0.63
    }
  }
}
