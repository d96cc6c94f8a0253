// SPDX-License-Identifier: Apache-2.0
package import CommandKit
package import Downbeat
internal import PlayerControl
internal import TOMLText
internal import TerminalViews

/// The keys and colours from configuration files, in the tables `[keys]` and `[colors]`.
package struct LiveSettings {
  package private(set) var keys = PlayKeys()
  private(set) var palette = Palette()

  package init() {}

  /// Applies the settings of all files; for each key or colour, the first file decides.
  ///
  /// - Throws: `Failure` with exit status 78 and the line of an invalid setting.
  package init(_ configuration: Configuration) throws(Failure) {
    for setting in configuration.settings.reversed() where Self.isOwn(setting) {
      try take(setting)
    }
  }

  /// True if a setting is in one of the tables.
  package static func isOwn(_ setting: Configuration.Setting) -> Bool {
    setting.path.count == 2 && ["keys", "colors"].contains(setting.path[0])
  }

  /// Applies one setting.
  ///
  /// - Throws: `Failure` with exit status 78 and the line of an invalid setting.
  package mutating func take(_ setting: Configuration.Setting) throws(Failure) {
    let (table, name) = (setting.path[0], setting.path[1])
    do {
      if table == "keys" {
        try bind(name, setting.value)
      } else {
        try color(name, setting.value)
      }
    } catch {
      throw Failure(
        .configuration, "\(setting.file): line \(setting.line): [\(table)] \(name): \(error)")
    }
  }

  private mutating func bind(_ name: String, _ value: TOMLValue) throws(Failure) {
    guard let key = Keystroke(name: name) else {
      throw Failure(.configuration, "not a key (use \(Keystroke.names))")
    }
    guard case .text(let words) = value else {
      throw Failure(.configuration, "must be a command such as \"seek -10\", or \"none\"")
    }
    do throws(ControlError) {
      try keys.bind(key, to: words)
    } catch {
      throw Failure(.configuration, error.description)
    }
  }

  private mutating func color(_ name: String, _ value: TOMLValue) throws(Failure) {
    guard let tone = CellStyle.Tone(rawValue: name), tone != .plain else {
      let names = CellStyle.Tone.allCases.filter { $0 != .plain }.map(\.rawValue)
      throw Failure(
        .configuration, "not the name of a colour (use \(names.joined(separator: ", ")))")
    }
    let text: String? =
      switch value {
      case .text(let text): text
      case .integer(let number): String(number)
      default: nil
      }
    guard let text, palette.setColor(of: tone, to: text) else {
      throw Failure(.configuration, "not a colour (use \(Palette.colors))")
    }
  }
}
