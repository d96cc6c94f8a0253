// SPDX-License-Identifier: Apache-2.0
internal import JSONText

/// An option, a flag or an argument of a command, as the parser describes it.
package struct OptionDescription: Sendable {
  /// The names with their dashes, `-p`, `--port`; none for an argument.
  package let names: [String]
  /// What stands for the value; nil for a flag.
  package let valueName: String?
  /// The value where none is given.
  package let defaultValue: String?
  /// The values that are taken, where they are few.
  package let choices: [String]
  /// The sentence that says what it does.
  package let text: String
  /// The heading it is found under; nil for the general one.
  package let section: String?
  package let isOptional: Bool
  package let isRepeating: Bool

  /// The option that a description in JSON holds; nil for one that is not shown.
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

  /// True if its value is a number, as its default or its help shows.
  var isNumber: Bool {
    defaultValue.flatMap(Double.init) != nil
      || text.firstMatch(
        of: /\dk?…\d|from \d|\d or greater|many|number|per beat|per second|per note/) != nil
  }

  /// Whether it is given without a value.
  package var isFlag: Bool { valueName == nil }

  /// The name under which a setting gives it, `port`; nil for an argument.
  package var key: String? {
    names.first { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
  }

  /// All names under which a setting gives it: its key, and the key that it had before.
  var keys: [String] {
    guard let key else { return [] }
    let former = Self.formerKeys[key].flatMap { names.contains("--\($0)") ? $0 : nil }
    return [key] + (former.map { [$0] } ?? [])
  }

  /// Keys of earlier versions by the keys of now.
  private static let formerKeys = ["tempo": "bpm"]
}
