// SPDX-License-Identifier: Apache-2.0

extension Keystroke {
  private static let named: [(name: String, key: Keystroke)] = [
    ("Space", .text(" ")), ("Enter", .enter), ("Tab", .tab), ("Shift-Tab", .backTab),
    ("Backspace", .backspace), ("Esc", .escape), ("Up", .up), ("Down", .down), ("Left", .left),
    ("Right", .right), ("Shift-Up", .shiftUp), ("Shift-Down", .shiftDown),
    ("Shift-Left", .shiftLeft), ("Shift-Right", .shiftRight), ("Home", .home), ("End", .end),
    ("PgUp", .pageUp), ("PgDn", .pageDown), ("Insert", .insert), ("Delete", .delete),
    ("WheelUp", .wheelUp), ("WheelDown", .wheelDown),
  ]

  /// The forms of key names, for messages.
  package static var names: String {
    "a character, Ctrl-A, \(named.map(\.name).joined(separator: ", "))"
  }

  /// The key with a name: a character as it is typed, `PgUp` or `Ctrl-L`; nil for other text.
  ///
  /// Case is ignored in names of more than one letter.
  package init?(name: String) {
    let lower = name.lowercased()
    if name.unicodeScalars.count == 1, let scalar = name.unicodeScalars.first, scalar.value > 0x20 {
      self = .text(scalar)
    } else if let known = Self.named.first(where: { $0.name.lowercased() == lower }) {
      self = known.key
    } else if lower.hasPrefix("ctrl-"), let letter = lower.dropFirst(5).unicodeScalars.first,
      lower.unicodeScalars.count == 6, ("a"..."z").contains(letter),
      let control = Unicode.Scalar(letter.value & 0x1F)
    {
      self = .text(control)
    } else {
      return nil
    }
  }

  /// The name of the key; empty for a click.
  package var name: String {
    if let known = Self.named.first(where: { $0.key == self }) { return known.name }
    guard case .text(let scalar) = self else { return "" }
    guard scalar.value < 0x20, let letter = Unicode.Scalar(scalar.value | 0x40) else {
      return String(scalar)
    }
    return "Ctrl-\(letter)"
  }
}
