// SPDX-License-Identifier: Apache-2.0
internal import FileNames

/// A JSON value.
///
/// Objects keep the order of their members.
package enum JSONValue: CustomStringConvertible {
  case null
  case bool(Bool)
  case integer(Int)
  /// A number with given digits.
  case decimal(String)
  case text(String)
  /// A file name or path, as represented by `FileName`.
  ///
  /// It is written as `Printable` displays it. If this differs from the name, the exact bytes are
  /// added in base64 as another member: `pathBytes` for `path` and `file`, `outputBytes` for
  /// `output`. Outside an object, such a name is written as an object with `path` and `pathBytes`.
  case path(String)
  case array([JSONValue])
  case object([(name: String, value: JSONValue)])

  /// The document on one line.
  package var description: String {
    var out = ""
    write(to: &out)
    return out
  }

  private func write(to out: inout String) {
    switch self {
    case .null: out += "null"
    case .bool(let value): out += value ? "true" : "false"
    case .integer(let value): out += String(value)
    case .decimal(let digits): out += digits
    case .text(let text): Self.write(text, to: &out)
    case .path(let path): Self.write(path: path, to: &out)
    case .array(let values):
      Self.write(values, between: "[", "]", to: &out) { $0.write(to: &$1) }
    case .object(let members):
      Self.write(members, between: "{", "}", to: &out) { member, out in
        Self.write(member, to: &out)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element], between opening: String, _ closing: String, to out: inout String,
    each: (Element, inout String) -> Void
  ) {
    out += opening
    for (index, element) in elements.enumerated() {
      if index > 0 { out += "," }
      each(element, &out)
    }
    out += closing
  }

  private static func write(
    _ member: (name: String, value: JSONValue), to out: inout String
  ) {
    write(member.name, to: &out)
    out += ":"
    guard case .path(let path) = member.value else { return member.value.write(to: &out) }
    let shown = Printable.text(path)
    write(shown, to: &out)
    guard shown != path else { return }
    out += ",\"\(bytesMember(of: member.name))\":\"\(Base64.text(of: FileName.bytes(of: path)))\""
  }

  /// Writes a path that is not a member of an object.
  private static func write(path: String, to out: inout String) {
    guard Printable.text(path) != path else { return write(path, to: &out) }
    JSONValue.object([("path", .path(path))]).write(to: &out)
  }

  private static func write(_ text: String, to out: inout String) {
    out += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case "\n": out += "\\n"
      case "\r": out += "\\r"
      case "\t": out += "\\t"
      case _ where Printable.isSteering(scalar):
        let digits = String(scalar.value, radix: 16)
        out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      case _ where FileName.byte(of: scalar) != nil:
        out += "\\" + Printable.text(String(scalar))
      default: out.unicodeScalars.append(scalar)
      }
    }
    out += "\""
  }
}

extension JSONValue: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) {
    self = .text(value)
  }
}

extension JSONValue: ExpressibleByIntegerLiteral {
  package init(integerLiteral value: Int) {
    self = .integer(value)
  }
}
