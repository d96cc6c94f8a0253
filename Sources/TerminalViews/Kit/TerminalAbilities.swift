// SPDX-License-Identifier: Apache-2.0

/// The abilities of a terminal, according to environment variables.
package struct TerminalAbilities: Hashable, Sendable {
  /// The values of `--color`.
  package enum ColorChoice: String, CaseIterable, Sendable {
    case auto, always, never
  }

  /// True if the cursor can be moved, so that the display can be drawn again in place.
  package var steers: Bool
  /// True if colours are supported and wanted.
  package var hasColor: Bool
  /// True if UTF-8 is supported; otherwise everything is shown in ASCII.
  package var isUnicode: Bool
  /// The colours of tones.
  package var palette = Palette()

  package init(steers: Bool = true, hasColor: Bool = true, isUnicode: Bool = true) {
    self.steers = steers
    self.hasColor = hasColor
    self.isUnicode = isUnicode
  }

  /// Reads `TERM`, `COLORTERM`, `NO_COLOR`, and `LC_ALL`, `LC_CTYPE` or `LANG`.
  ///
  /// Source: no-color.org; POSIX, for the order of the locale variables.
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

  /// True if the locale uses UTF-8; false without a locale.
  ///
  /// - Parameter variables: The environment variables.
  /// - Returns: True if text may contain characters beyond ASCII.
  package static func isUnicode(_ variables: [String: String]) -> Bool {
    let locale =
      ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { variables[$0] }
      .first { !$0.isEmpty }?.lowercased() ?? ""
    return locale.contains("utf-8") || locale.contains("utf8")
  }
}
