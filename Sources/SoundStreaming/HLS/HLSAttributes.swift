// SPDX-License-Identifier: Apache-2.0

/// The attribute list of a tag in an HLS playlist: names with values, which can be quoted.
///
/// Source: RFC 8216, 4.2.
struct HLSAttributes: Hashable, Sendable {
  /// The maximum number of attributes in a list.
  private static let limit = 64

  private var values: [String: String] = [:]

  /// Reads a list; a part without a name or a value is skipped.
  init(_ text: some StringProtocol) {
    var rest = Substring(text)[...]
    while let equals = rest.firstIndex(of: "="), values.count < Self.limit {
      let name = rest[..<equals].drop { $0 == "," || $0 == " " }
      rest = rest[rest.index(after: equals)...]
      let value = Self.takeValue(&rest)
      values[String(name)] = value
    }
  }

  private static func takeValue(_ rest: inout Substring) -> String {
    guard rest.first == "\"" else {
      let end = rest.firstIndex(of: ",") ?? rest.endIndex
      defer { rest = rest[end...] }
      return String(rest[..<end])
    }
    let body = rest.dropFirst()
    let end = body.firstIndex(of: "\"") ?? body.endIndex
    rest = body[end...].dropFirst()
    return String(body[..<end])
  }

  /// The value of an attribute without quotation marks; nil if it is missing.
  subscript(name: String) -> String? { values[name] }
}
