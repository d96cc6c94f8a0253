// SPDX-License-Identifier: Apache-2.0

/// An address of HTTP, with what is secret in it kept apart from what may be shown.
///
/// Source: RFC 3986, 3.
struct HTTPAddress: Hashable, Sendable {
  /// What is asked for, without a user and a password.
  let target: String
  /// What messages name it by: neither a user nor a password, and of a query only that there is
  /// one, since those hold keys.
  let shown: String
  /// The user, as it is sent; nil where none is named.
  let user: String?
  /// The password, as it is sent.
  let password: String?

  /// Reads an address; nil where it is none of HTTP.
  init?(_ text: String) {
    guard let mark = text.firstRange(of: "://") else { return nil }
    let scheme = text[..<mark.lowerBound].lowercased()
    guard scheme == "http" || scheme == "https", Self.isClean(text) else { return nil }
    let rest = text[mark.upperBound...].prefix { $0 != "#" }
    let end = rest.firstIndex { "/?".contains($0) } ?? rest.endIndex
    let authority = rest[..<end]
    let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    guard let first = host.first, first != ":" else { return nil }
    let path = rest[end...]
    target = "\(scheme)://\(host)\(path)"
    shown = "\(scheme)://\(host)" + Self.withoutQuery(path)
    let secret = host.count < authority.count ? authority.dropLast(host.count + 1) : nil
    let words =
      secret?.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false) ?? []
    user = words.first.map { Self.decoded($0) }
    password = words.count == 2 ? Self.decoded(words[1]) : nil
  }

  /// What may be shown of a text that is no address.
  static func shown(_ text: String) -> String {
    let last = text.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    return String(withoutQuery(last[...]).map { isClean(String($0)) ? $0 : "?" }.prefix(200))
  }

  private static func withoutQuery(_ path: Substring) -> String {
    let bare = path.prefix { $0 != "?" }
    return bare.count == path.count ? String(bare) : bare + "?…"
  }

  /// Whether a text has neither spaces nor what steers a terminal or a header.
  private static func isClean(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0.value > 0x20 && !(0x7F...0x9F).contains($0.value) }
  }

  /// A text with `%41` read as `A`; where that is no UTF-8, as it stands.
  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      let digits = String(rest.prefix(2)) ?? ""
      if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let code = UInt8(digits, radix: 16) {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self) ?? String(text)
  }
}
