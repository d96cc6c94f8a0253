// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import JSONText

/// The name of a setting as it is typed, such as `play.gain`, `soundfont` or `keys.Ctrl-L`.
struct SettingKey {
  /// The names of the tables, then the name in the table.
  let path: [String]

  /// Reads a name.
  ///
  /// After `keys.` and `colors.`, the rest is one name.
  ///
  /// - Parameter text: The names, separated by dots.
  /// - Throws: `Failure` with exit status 64 if a name is empty.
  init(parsing text: String) throws(Failure) {
    let first = text.prefix { $0 != "." }
    let parts =
      ["keys", "colors"].contains(first) && text.count > first.count
      ? [first, text.dropFirst(first.count + 1)]
      : text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty }) else {
      throw Failure(.usage, "'\(text)': not the name of a setting (such as play.gain)")
    }
    path = parts.map(String.init)
  }

  /// The name as it is typed.
  var text: String { path.joined(separator: ".") }
  /// The names of the tables.
  var table: [String] { Array(path.dropLast()) }
  /// The last name in TOML syntax.
  var word: String { Self.toml(path.last ?? "") }
  /// The line that starts the table; nil outside all tables.
  var header: String? {
    table.isEmpty ? nil : "[\(table.map(Self.toml).joined(separator: "."))]"
  }

  /// Returns a name in TOML syntax, with quotes if necessary.
  private static func toml(_ name: String) -> String {
    let isBare = name.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
      default: false
      }
    }
    return isBare ? name : "\(JSONValue.text(name))"
  }
}
