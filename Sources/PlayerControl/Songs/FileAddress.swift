// SPDX-License-Identifier: Apache-2.0
internal import FileNames
package import SoundStreaming
internal import WholeFiles

/// A file as a playlist or the user names it: a path, or a `file:` URL.
///
/// Source: RFC 8089, RFC 3986 section 2.1.
package struct FileAddress {
  /// The reason why a name does not name a file.
  package enum Trouble: Error, Equatable, CustomStringConvertible {
    case remote(scheme: String)
    case foreign(host: String)
    case malformed
    case zeroByte

    package var description: String {
      switch self {
      case .remote(let scheme):
        "\(scheme): addresses work in downbeat sound only (download the file first)"
      case .foreign(let host): "is on another machine, \(host)"
      case .malformed: "a % must be followed by two hexadecimal digits"
      case .zeroByte: "a file name cannot contain a zero byte"
      }
    }
  }

  package let path: String

  /// Creates the path of the file that a name means.
  ///
  /// - Parameters:
  ///   - name: A path, or a URL such as `file:///home/me/a%20song.mid`.
  ///   - folder: The folder of relative paths.
  /// - Throws: `Trouble` if the name cannot be a file.
  package init(_ name: String, in folder: String) throws(Trouble) {
    let bytes = try Self.local(name)
    let named = bytes.map { Self.existing($0) } ?? name
    guard !named.utf8.contains(0) else { throw .zeroByte }
    let isRelative = !named.hasPrefix("/")
    // An entry `-` in a list is a file, not standard input.
    let start = isRelative && folder.isEmpty && named == "-" ? "./" : ""
    path = start + (isRelative ? folder + named : named)
  }

  /// Creates the path of the file that an entry of a playlist means: the first of its possible
  /// names that exists, or else the name as written.
  ///
  /// - Parameters:
  ///   - item: The entry.
  ///   - folder: The playlist's folder, with a `/` at its end; empty for the current one.
  /// - Throws: `Trouble` if the entry cannot be a file.
  package init(_ item: PlaylistText.Item, in folder: String) throws(Trouble) {
    for name in item.fileNames {
      let file = try FileAddress(name, in: folder)
      guard !FolderListing.isThere(file.path) else {
        self = file
        return
      }
    }
    try self.init(item.name, in: folder)
  }

  /// The scheme of a URL; nil for a path.
  package static func scheme(of name: String) -> String? {
    guard let colon = name.utf8.firstIndex(of: 0x3A) else { return nil }
    let scheme = name[..<colon].lowercased()
    let isWord = scheme.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
        || [0x2B, 0x2D, 0x2E].contains(byte)
    }
    let rest = name[name.index(after: colon)...]
    let isAddress = rest.hasPrefix("//") || scheme == "file" && rest.hasPrefix("/")
    return isWord && !scheme.isEmpty && isAddress ? scheme : nil
  }

  /// The path with some bytes, or their text as Latin-1 if only that file exists.
  private static func existing(_ bytes: [UInt8]) -> String {
    let (path, text) = (FileName.text(of: bytes), PlaylistText.text(bytes))
    return path != text && !FolderListing.isThere(path) && FolderListing.isThere(text) ? text : path
  }

  /// The bytes of the path in a `file:` URL; nil if the name is not a URL.
  private static func local(_ name: String) throws(Trouble) -> [UInt8]? {
    guard let scheme = scheme(of: name) else { return nil }
    guard scheme == "file" else { throw .remote(scheme: scheme) }
    var rest = name.dropFirst("file:".count)
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      let host = rest.prefix { $0 != "/" }
      guard host.isEmpty || host.lowercased() == "localhost" else {
        throw .foreign(host: String(host))
      }
      rest = rest[host.endIndex...]
    }
    return try decoded(rest)
  }

  private static func decoded(_ text: Substring) throws(Trouble) -> [UInt8] {
    var (bytes, rest) = ([UInt8](), FileName.bytes(of: String(text))[...])
    while let byte = rest.popFirst() {
      guard byte == 0x25 else {
        bytes.append(byte)
        continue
      }
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit),
        let value = UInt8(digits, radix: 16)
      else { throw .malformed }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return bytes
  }
}
