// SPDX-License-Identifier: Apache-2.0

/// A pattern of addresses: `/downbeat/mute*`, `/downbeat/{higher,lower}`, `/a/?[0-9][!x]`.
///
/// Each part between slashes is matched separately. `?` matches any byte, `*` any number of bytes,
/// `[…]` one of several bytes, with `-` for a range and `!` at the beginning for all others, and
/// `{…,…}` one of several texts.
///
/// Source: The Open Sound Control 1.0 Specification, "OSC Message Dispatching and Pattern
/// Matching".
package struct OSCPattern: Hashable, Sendable {
  /// The longest pattern, in bytes.
  package static let longest = 256

  private enum Piece: Hashable {
    case byte(UInt8)
    case anyByte
    case anyBytes
    case oneOf(Set<UInt8>)
    case text([[UInt8]])
  }

  private let parts: [[Piece]]

  /// Parses a pattern; nil if a bracket is not closed, or the pattern is longer than `longest`.
  ///
  /// - Parameter text: The address of a message.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.longest else { return nil }
    var parts: [[Piece]] = []
    for part in Self.parts(of: text) {
      guard let pieces = Self.pieces(of: part) else { return nil }
      parts.append(pieces)
    }
    self.parts = parts
  }

  /// Returns true if a text contains a character that only patterns have.
  package static func isPattern(_ text: String) -> Bool {
    text.utf8.contains { "?*[]{}".utf8.contains($0) }
  }

  /// Returns true if the whole address matches the pattern.
  ///
  /// - Parameter address: An address, not a pattern.
  /// - Returns: True if it matches.
  /// - Complexity: O(n·m) in the lengths of both.
  package func matches(_ address: String) -> Bool {
    let others = Self.parts(of: address)
    return others.count == parts.count && zip(parts, others).allSatisfy(Self.matches)
  }

  private static func parts(of text: String) -> [[UInt8]] {
    text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map(Array.init)
  }

  /// Computes the possible ends of each piece in turn, so that nothing is tried twice.
  private static func matches(_ pieces: [Piece], _ text: [UInt8]) -> Bool {
    var ends: Set = [0]
    for piece in pieces {
      var next: Set<Int> = []
      for end in ends { next.formUnion(self.ends(of: piece, from: end, in: text)) }
      if next.isEmpty { return false }
      ends = next
    }
    return ends.contains(text.count)
  }

  private static func ends(of piece: Piece, from start: Int, in text: [UInt8]) -> [Int] {
    switch piece {
    case .byte(let byte): start < text.count && text[start] == byte ? [start + 1] : []
    case .anyByte: start < text.count ? [start + 1] : []
    case .anyBytes: Array(start...text.count)
    case .oneOf(let bytes): start < text.count && bytes.contains(text[start]) ? [start + 1] : []
    case .text(let choices):
      choices.filter { text[start...].starts(with: $0) }.map { start + $0.count }
    }
  }

  private static func pieces(of part: [UInt8]) -> [Piece]? {
    var pieces: [Piece] = []
    var rest = part[...]
    while let first = rest.popFirst() {
      switch first {
      case UInt8(ascii: "?"): pieces.append(.anyByte)
      case UInt8(ascii: "*"): pieces.append(.anyBytes)
      case UInt8(ascii: "["):
        guard let inside = inside(&rest, upTo: UInt8(ascii: "]")) else { return nil }
        pieces.append(.oneOf(bytes(of: inside)))
      case UInt8(ascii: "{"):
        guard let inside = inside(&rest, upTo: UInt8(ascii: "}")) else { return nil }
        let choices = inside.split(
          separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        pieces.append(.text(choices.map(Array.init)))
      case UInt8(ascii: "]"), UInt8(ascii: "}"): return nil
      default: pieces.append(.byte(first))
      }
    }
    return pieces
  }

  /// Removes the bytes up to a closing bracket, and the bracket.
  private static func inside(
    _ rest: inout ArraySlice<UInt8>, upTo closing: UInt8
  ) -> ArraySlice<UInt8>? {
    guard let end = rest.firstIndex(of: closing) else { return nil }
    defer { rest = rest[(end + 1)...] }
    return rest[..<end]
  }

  /// A `-` at the end, and a `!` that is not at the beginning, are ordinary characters.
  private static func bytes(of inside: ArraySlice<UInt8>) -> Set<UInt8> {
    let isInverted = inside.first == UInt8(ascii: "!")
    var bytes: Set<UInt8> = []
    var rest = isInverted ? inside.dropFirst() : inside
    while let first = rest.popFirst() {
      if rest.count >= 2, rest.first == UInt8(ascii: "-") {
        let last = rest[rest.startIndex + 1]
        bytes.formUnion(min(first, last)...max(first, last))
        rest = rest.dropFirst(2)
      } else {
        bytes.insert(first)
      }
    }
    return isInverted ? Set(0...UInt8.max).subtracting(bytes) : bytes
  }
}
