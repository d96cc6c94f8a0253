// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
  /// A member of an object; nil if it is missing, or the value is not an object.
  package subscript(_ name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The text of a string, or the displayed form of a path; nil for other values.
  package var string: String? {
    switch self {
    case .text(let text): text
    case .path(let path): Printable.text(path)
    default: nil
    }
  }

  /// True for the value `true`.
  package var isTrue: Bool {
    guard case .bool(true) = self else { return false }
    return true
  }

  /// A string, or the digits of a number; nil for other values.
  package var scalarText: String? {
    switch self {
    case .text, .path: string
    case .decimal(let digits): digits
    case .integer(let integer): "\(integer)"
    default: nil
    }
  }

  /// An integer, written as a number or a string; nil for other values.
  package var wholeNumber: Int64? { scalarText.flatMap { Int64($0) } }

  /// The elements of an array; nil for other values.
  package var elements: [JSONValue]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }
}
