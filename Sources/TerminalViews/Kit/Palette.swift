// SPDX-License-Identifier: Apache-2.0

/// The colours of tones.
package struct Palette: Hashable, Sendable {
  /// The sixteen colours of the terminal, in the order of their numbers.
  private static let names = [
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "bright-black",
    "bright-red", "bright-green", "bright-yellow", "bright-blue", "bright-magenta", "bright-cyan",
    "bright-white",
  ]

  /// The SGR parameters of each tone; a tone without an entry has the colour of plain text.
  private var codes: [CellStyle.Tone: String] = [
    .faint: "90", .good: "32", .warning: "33", .bad: "31", .accent: "36",
  ]

  package init() {}

  /// The colour names that `setColor` accepts.
  package static var colors: String { "default, \(names.joined(separator: ", ")), or 0 to 255" }

  /// Sets the colour of a tone.
  ///
  /// - Parameters:
  ///   - tone: The tone.
  ///   - name: `default`, the name of one of the sixteen colours, or a number 0…255.
  /// - Returns: False if the colour does not exist.
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
