// SPDX-License-Identifier: Apache-2.0
package import PlayerControl

extension Gain {
  /// Reads a gain of the command line, and reports one that was probably meant as a factor.
  ///
  /// A command reports each such gain once, even if its arguments are parsed again.
  ///
  /// - Parameters:
  ///   - text: The text, such as `-6dB` or `50%`; a number without a unit is in decibels.
  ///   - name: The option or setting before it, with its separator: `--gain ` or `gain=`.
  /// - Throws: `ControlError.Kind.usage` if the text is not a gain of at most 40 dB.
  package init(typed text: String, for name: String) throws(ControlError) {
    try self.init(parsing: text)
    if let note = Self.note(on: text, for: name), Console.current.isFirst(note) {
      Terminal.report(note)
    }
  }

  /// The note about a number above 0 up to 1 without a unit or a sign, which other programs read as
  /// a factor.
  ///
  /// Example: `--gain 0.5: raises the level by 0.5 dB (for half the level type 50%)`.
  ///
  /// - Parameters:
  ///   - text: The gain as it was typed.
  ///   - name: The option or setting before it, with its separator.
  /// - Returns: The note; nil for any other gain.
  package static func note(on text: String, for name: String) -> String? {
    guard let first = text.first, first.isNumber || first == ".", let number = Double(text),
      number > 0, number <= 1
    else { return nil }
    let tenths = (number * 1000).rounded()
    let percent = tenths / 10 == (tenths / 10).rounded() ? "\(Int(tenths / 10))" : "\(tenths / 10)"
    let level =
      switch number {
      case 0.5: "half the level"
      case 1: "an unchanged level"
      default: "\(percent) % of the level"
      }
    return "\(name)\(text): raises the level by \(text) dB (for \(level) type \(percent)%)"
  }
}
