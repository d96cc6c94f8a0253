// SPDX-License-Identifier: Apache-2.0

/// The style of a character.
package struct CellStyle: Hashable, BitwiseCopyable, Sendable {
  /// The meaning of a colour; the text must be clear without colours, too.
  package enum Tone: String, BitwiseCopyable, CaseIterable, Sendable {
    case plain, faint, good, warning, bad, accent
  }

  package var tone = Tone.plain
  package var isBold = false
  package var isReversed = false

  package init(_ tone: Tone = .plain, bold: Bool = false, reversed: Bool = false) {
    self.tone = tone
    isBold = bold
    isReversed = reversed
  }

  package static var plain: CellStyle { CellStyle() }
  package static var bold: CellStyle { CellStyle(bold: true) }
  package static var faint: CellStyle { CellStyle(.faint) }

  /// The control sequence for the style, independent of the previous one; nil for no colours.
  func sequence(_ palette: Palette?) -> String {
    let codes = ["0", isBold ? "1" : nil, isReversed ? "7" : nil, palette?.code(of: tone)]
    return "\u{1B}[\(codes.compactMap(\.self).joined(separator: ";"))m"
  }
}
