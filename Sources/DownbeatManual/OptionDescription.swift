// SPDX-License-Identifier: Apache-2.0
internal import JSONText

/// An option, a flag or an argument of a command, as the parser describes it.
struct OptionDescription {
  /// The names with their dashes, `-p`, `--port`; none for an argument.
  let names: [String]
  /// What stands for the value; nil for a flag.
  let valueName: String?
  /// The value where none is given.
  let defaultValue: String?
  /// The values that are taken, where they are few.
  let choices: [String]
  /// The sentence that says what it does.
  let text: String
  /// The heading it is found under; nil for the general one.
  let section: String?
  let isOptional: Bool
  let isRepeating: Bool

  /// The option that a description in JSON holds; nil for one that is not shown.
  init?(_ value: JSONValue) {
    guard case .bool(true)? = value["shouldDisplay"] else { return nil }
    let kind = value["kind"]?.string
    names = (value["names"]?.elements ?? []).compactMap { name in
      name["name"]?.string.map { name["kind"]?.string == "short" ? "-\($0)" : "--\($0)" }
    }
    valueName = kind == "flag" ? nil : value["valueName"]?.string
    defaultValue = kind == "option" ? value["defaultValue"]?.string : nil
    choices = (value["allValues"]?.elements ?? []).compactMap(\.string)
    text = value["abstract"]?.string ?? ""
    section = value["sectionTitle"]?.string
    isOptional = value["isOptional"].flatMap(Self.isTrue) ?? false
    isRepeating = value["isRepeating"].flatMap(Self.isTrue) ?? false
  }

  private static func isTrue(_ value: JSONValue) -> Bool? {
    guard case .bool(let flag) = value else { return nil }
    return flag
  }
}
