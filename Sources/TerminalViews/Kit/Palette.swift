// SPDX-License-Identifier: Apache-2.0

/// The colours that tones are shown in.
package struct Palette: Hashable, Sendable {
  /// The sixteen colours that a terminal's user has chosen, in the order of their numbers.
  private static let names = [
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "bright-black",
    "bright-red", "bright-green", "bright-yellow", "bright-blue", "bright-magenta", "bright-cyan",
    "bright-white",
  ]

  /// The parameters of SGR for each tone; none for the colour of plain text.
  private var codes: [CellStyle.Tone: String] = [
    .faint: "90", .good: "32", .warning: "33", .bad: "31", .accent: "36",
  ]

  package init() {}

  /// The words that `setColor` takes.
  package static var colors: String { "default, \(names.joined(separator: ", ")), or 0 to 255" }

  /// Shows a tone in a colour.
  ///
  /// - Parameters:
  ///   - tone: the tone.
  ///   - name: `default`, one of the sixteen colours by name, or a number of the 256.
  /// - Returns: whether there is such a colour.
  package mutating func setColor(of tone: CellStyle.Tone, to name: String) -> Bool {
    if name == "default" {
      codes[tone] = nil
    } else if let index = Self.names.firstIndex(of: name) {
      codes[tone] = "\(index < 8 ? 30 + index : 82 + index)"
    } else if let number = UInt8(name) {
      codes[tone] = "38;5;\(number)"
    } else {
      return false
    }
    return true
  }

  func code(of tone: CellStyle.Tone) -> String? { codes[tone] }
}
