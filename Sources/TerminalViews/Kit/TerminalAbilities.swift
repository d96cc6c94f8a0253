// SPDX-License-Identifier: Apache-2.0

/// What a terminal can do, as far as the variables of its user tell.
package struct TerminalAbilities: Hashable, Sendable {
  /// Whether colours are wished for.
  package enum ColorChoice: String, CaseIterable, Sendable {
    case auto, always, never
  }

  /// Whether its cursor can be moved, so that a picture can be drawn over itself.
  package var steers: Bool
  /// Whether it shows colours, and they are wanted.
  package var hasColor: Bool
  /// Whether it takes UTF-8; if not, everything is shown in ASCII.
  package var isUnicode: Bool
  /// The colours that it shows.
  package var palette = Palette()

  package init(steers: Bool = true, hasColor: Bool = true, isUnicode: Bool = true) {
    self.steers = steers
    self.hasColor = hasColor
    self.isUnicode = isUnicode
  }

  /// Reads `TERM`, `COLORTERM`, `NO_COLOR`, and `LC_ALL`, `LC_CTYPE` or `LANG`.
  ///
  /// Source: no-color.org; the order of the locale's variables is that of POSIX.
  package init(variables: [String: String], color: ColorChoice = .auto) {
    let terminal = variables["TERM"] ?? ""
    steers = !["", "dumb", "unknown"].contains(terminal)
    isUnicode = Self.isUnicode(variables)
    switch color {
    case .always: hasColor = true
    case .never: hasColor = false
    case .auto:
      let isPlain = terminal.hasPrefix("vt") || terminal.hasSuffix("-m")
      let isColored = steers && !isPlain || variables["COLORTERM"]?.isEmpty == false
      hasColor = isColored && variables["NO_COLOR"]?.isEmpty != false
    }
  }

  /// True if the locale of a user's variables has UTF-8; without a locale it has not.
  ///
  /// - Parameter variables: the variables of the environment.
  /// - Returns: whether text can have characters beyond ASCII.
  package static func isUnicode(_ variables: [String: String]) -> Bool {
    let locale =
      ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { variables[$0] }
      .first { !$0.isEmpty }?.lowercased() ?? ""
    return locale.contains("utf-8") || locale.contains("utf8")
  }
}
