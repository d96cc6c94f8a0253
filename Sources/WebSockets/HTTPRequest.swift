// SPDX-License-Identifier: Apache-2.0

/// The head of a request: its first line and its fields.
///
/// Source: RFC 9112.
struct HTTPRequest: Sendable {
  /// The longest head in bytes.
  static let longest = 8192
  private static let mostFields = 64

  let method: String
  /// What stands before a question mark.
  let path: String
  /// Names in small letters, and their values without space around.
  private let fields: [(name: String, value: String)]

  /// Reads a head.
  ///
  /// - Parameter bytes: All before the empty line that ends it.
  /// - Throws: `HTTPStatus` that it is answered with where it is none.
  init(_ bytes: ArraySlice<UInt8>) throws(HTTPStatus) {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .badRequest }
    // A carriage return and a line feed are one character.
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

  /// The value of a field that stands there once; nil where it does not.
  subscript(_ name: String) -> String? {
    let values = fields.lazy.filter { $0.name == name }
    return values.count == 1 ? values.first?.value : nil
  }

  /// Whether a field stands there at all.
  func has(_ name: String) -> Bool { fields.contains { $0.name == name } }

  /// Whether a word stands in a field's list, in letters of any size.
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
