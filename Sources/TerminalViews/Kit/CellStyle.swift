// SPDX-License-Identifier: Apache-2.0

/// How a character is shown.
package struct CellStyle: Hashable, BitwiseCopyable, Sendable {
  /// What a colour says; without colours the rest of the style must do.
  package enum Tone: UInt8, BitwiseCopyable, Sendable {
    case plain, faint, good, warning, bad, accent

    /// The parameter of SGR for it: the user's own sixteen colours.
    var code: Int? {
      switch self {
      case .plain: nil
      case .faint: 90
      case .good: 32
      case .warning: 33
      case .bad: 31
      case .accent: 36
      }
    }
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

  /// The control sequence that brings it about, whatever was in force.
  func sequence(hasColor: Bool) -> String {
    var codes = [0]
    if isBold { codes.append(1) }
    if isReversed { codes.append(7) }
    if hasColor, let code = tone.code { codes.append(code) }
    return "\u{1B}[\(codes.map(String.init).joined(separator: ";"))m"
  }
}
