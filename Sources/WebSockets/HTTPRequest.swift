// SPDX-License-Identifier: Apache-2.0

/// The head of an HTTP request: its first line and its fields.
///
/// Source: RFC 9112.
struct HTTPRequest: Sendable {
  /// The longest head, in bytes.
  static let longest = 8192
  private static let mostFields = 64

  let method: String
  /// The path without a query.
  let path: String
  /// The field names in lower case, and their values without surrounding space.
  private let fields: [(name: String, value: String)]

  /// Parses a head.
  ///
  /// - Parameter bytes: The bytes before the empty line that ends the head.
  /// - Throws: The `HTTPStatus` for the answer if the head is not valid.
  init(_ bytes: ArraySlice<UInt8>) throws(HTTPStatus) {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .badRequest }
    // A carriage return and a line feed are one `Character`.
    var lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
    let words = (lines.popFirst() ?? "").split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[2].hasPrefix("HTTP/"), words[1].hasPrefix("/"),
      !words[0].isEmpty, words[0].utf8.allSatisfy(Self.isNameByte)
    else { throw .badRequest }
    guard words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else { throw .versionNotSupported }
    guard lines.count <= Self.mostFields else { throw .fieldsTooLarge }
    method = String(words[0])
    path = String(words[1].prefix { $0 != "?" })
    var fields: [(name: String, value: String)] = []
    for line in lines {
      guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { throw .badRequest }
      let (name, value) = (line[..<colon], line[line.utf8.index(after: colon)...])
      guard !name.isEmpty, name.utf8.allSatisfy(Self.isNameByte),
        value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 9 })
      else { throw .badRequest }
      fields.append((name.lowercased(), Self.trimmed(value)))
    }
    self.fields = fields
  }

  /// The value of a field that occurs exactly once; otherwise nil.
  subscript(_ name: String) -> String? {
    let values = fields.lazy.filter { $0.name == name }
    return values.count == 1 ? values.first?.value : nil
  }

  /// Returns true if a field occurs.
  func has(_ name: String) -> Bool { fields.contains { $0.name == name } }

  /// Returns true if a field's list contains a word, ignoring case.
  func lists(_ word: String, in name: String) -> Bool {
    fields.lazy.filter { $0.name == name }.contains { field in
      field.value.split(separator: ",").contains { Self.trimmed($0).lowercased() == word }
    }
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 9 }
    let bytes = text.utf8.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
    return String(decoding: Array(bytes), as: UTF8.self)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
