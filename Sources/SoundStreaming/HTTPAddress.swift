// SPDX-License-Identifier: Apache-2.0

/// An HTTP address, whose secrets are kept separate from the part for messages.
///
/// Source: RFC 3986, 3.
struct HTTPAddress: Hashable, Sendable {
  /// The address to request, without user and password.
  let target: String
  /// The address for messages, without user and password.
  ///
  /// A query, which can contain keys, is shown as `?`.
  let shown: String
  /// The user as it is sent; nil if none is stated.
  let user: String?
  /// The password as it is sent; nil if none is stated.
  let password: String?

  /// Reads an address; nil if it is not an HTTP address.
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

  /// The part of an invalid address that can be shown.
  static func shown(_ text: String) -> String {
    let last = text.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    return String(withoutQuery(last[...]).map { isClean(String($0)) ? $0 : "?" }.prefix(200))
  }

  private static func withoutQuery(_ path: Substring) -> String {
    let bare = path.prefix { $0 != "?" }
    return bare.count == path.count ? String(bare) : bare + "?…"
  }

  /// Returns true if a text does not contain spaces or control characters.
  private static func isClean(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0.value > 0x20 && !(0x7F...0x9F).contains($0.value) }
  }

  /// Decodes percent encoding (`%41` is `A`); returns the text unchanged if the result is not
  /// UTF-8.
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
