// SPDX-License-Identifier: Apache-2.0
internal import JSONText

/// An option, a flag or an argument of a command, as the parser describes it.
package struct OptionDescription: Sendable {
  /// The names with their hyphens, such as `-p` and `--port`; empty for an argument.
  package let names: [String]
  /// The placeholder of the value; nil for a flag.
  package let valueName: String?
  /// The default value; nil for none.
  package let defaultValue: String?
  /// The possible values; empty if any value is accepted.
  package let choices: [String]
  /// A sentence that describes the option.
  package let text: String
  /// The heading of its section; nil for the general section.
  package let section: String?
  package let isOptional: Bool
  package let isRepeating: Bool

  /// Creates the description of an option from JSON; nil if the option is hidden.
  init?(_ value: JSONValue) {
    guard value["shouldDisplay"]?.isTrue ?? false else { return nil }
    let kind = value["kind"]?.string
    names = (value["names"]?.elements ?? []).compactMap { name in
      name["name"]?.string.map { name["kind"]?.string == "short" ? "-\($0)" : "--\($0)" }
    }
    valueName = kind == "flag" ? nil : value["valueName"]?.string
    defaultValue = kind == "option" ? value["defaultValue"]?.string : nil
    choices = (value["allValues"]?.elements ?? []).compactMap(\.string)
    text = value["abstract"]?.string ?? ""
    section = value["sectionTitle"]?.string
    isOptional = value["isOptional"]?.isTrue ?? false
    isRepeating = value["isRepeating"]?.isTrue ?? false
  }

  /// True if the value is a number, which is detected from the default or the help.
  var isNumber: Bool {
    defaultValue.flatMap(Double.init) != nil
      || text.firstMatch(
        of: /\dk?…\d|from \d|\d or greater|many|number|per beat|per second|per note/) != nil
  }

  /// True if the option is used without a value.
  package var isFlag: Bool { valueName == nil }

  /// The key of the option in settings, such as `port`; nil for an argument.
  package var key: String? {
    names.first { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
  }

  /// All keys of the option in settings: the current key, and the key in earlier versions.
  var keys: [String] {
    guard let key else { return [] }
    let former = Self.formerKeys[key].flatMap { names.contains("--\($0)") ? $0 : nil }
    return [key] + (former.map { [$0] } ?? [])
  }

  /// The keys of earlier versions by their current keys.
  private static let formerKeys = ["tempo": "bpm"]
}
