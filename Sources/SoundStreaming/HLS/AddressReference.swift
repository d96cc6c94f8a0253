// SPDX-License-Identifier: Apache-2.0

/// A reference in a downloaded document, such as the name of a segment, that is resolved to a web
/// address.
///
/// Source: RFC 3986, 5.2 and 5.3.
struct AddressReference {
  /// The maximum size of a reference in bytes.
  private static let limit = 16 << 10

  /// The parts of a reference that can be absent.
  private struct Parts {
    var scheme: Substring?
    var authority: Substring?
    var path: Substring
    var query: Substring?

    init(_ text: Substring) {
      var rest = text.prefix { $0 != "#" }
      if let colon = rest.firstIndex(of: ":"), Self.isScheme(rest[..<colon]) {
        scheme = rest[..<colon]
        rest = rest[rest.index(after: colon)...]
      }
      if rest.hasPrefix("//") {
        let bare = rest.dropFirst(2)
        let end = bare.firstIndex { $0 == "/" || $0 == "?" } ?? bare.endIndex
        authority = bare[..<end]
        rest = bare[end...]
      }
      let mark = rest.firstIndex(of: "?")
      path = rest[..<(mark ?? rest.endIndex)]
      query = mark.map { rest[rest.index(after: $0)...] }
    }

    private static func isScheme(_ text: Substring) -> Bool {
      guard let first = text.utf8.first, first.isASCIILetter else { return false }
      return text.utf8.allSatisfy {
        $0.isASCIILetter || (0x30...0x39).contains($0) || "+-.".utf8.contains($0)
      }
    }
  }

  /// Resolves a reference relative to the address of its document.
  ///
  /// A user name and a password in the base are kept only for the same host and scheme.
  ///
  /// - Parameters:
  ///   - reference: The reference, relative or absolute.
  ///   - base: The address of the document.
  /// - Returns: An `http` or `https` address; nil if the reference has another scheme, or is too
  ///   long.
  static func address(_ reference: String, in base: String) -> String? {
    guard reference.utf8.count <= limit, !reference.isEmpty else { return nil }
    let (own, old) = (Parts(reference[...]), Parts(base[...]))
    guard let scheme = (own.scheme ?? old.scheme)?.lowercased(), let oldHost = old.authority else {
      return nil
    }
    let isInherited = own.scheme == nil && own.authority == nil
    let isSameHost = own.authority.map { $0 == host(of: oldHost) } ?? true
    let isSameScheme = old.scheme?.lowercased() == scheme
    let authority = isInherited || isSameHost && isSameScheme ? oldHost : own.authority ?? ""
    let isBare = isInherited && own.path.isEmpty
    let path = isInherited && !own.path.hasPrefix("/") ? merged(own.path, old) : own.path
    let query = isBare ? own.query ?? old.query : own.query
    let text =
      "\(scheme)://\(authority)" + withoutDots(isBare ? old.path : path)
      + (query.map { "?\($0)" } ?? "")
    return HTTPAddress(text) == nil ? nil : text
  }

  /// An authority without user name and password.
  private static func host(of authority: Substring) -> Substring {
    authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
  }

  private static func merged(_ path: Substring, _ base: Parts) -> Substring {
    guard let slash = base.path.lastIndex(of: "/") else { return "/" + path }
    return base.path[...slash] + path
  }

  /// A path without the segments `.` and `..`.
  private static func withoutDots(_ path: Substring) -> String {
    guard path.hasPrefix("/") else { return String(path) }
    var kept: [Substring] = []
    let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment {
      case ".": if isLast { kept.append("") }
      case "..":
        if !kept.isEmpty { kept.removeLast() }
        if isLast { kept.append("") }
      default: kept.append(segment)
      }
    }
    return "/" + kept.joined(separator: "/")
  }
}

extension UInt8 {
  fileprivate var isASCIILetter: Bool { (0x41...0x5A).contains(self & 0xDF) }
}
