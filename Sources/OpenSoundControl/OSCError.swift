// SPDX-License-Identifier: Apache-2.0

/// Why bytes are no packet, or a packet cannot be written; each with the offset of the byte.
package enum OSCError: Error, Hashable, Sendable {
  /// The packet ends before what it announces.
  case truncated(offset: Int)
  /// A size is negative, no multiple of 4 where it must be, or reaches past the end.
  case badSize(Int32, offset: Int)
  /// A packet begins with neither `/` nor `#bundle`.
  case badAddress(offset: Int)
  /// A text that is not UTF-8, or that holds a zero where it is to be written.
  case badText(offset: Int)
  /// After the address stands something else than types, or nothing.
  case missingTypes(offset: Int)
  /// A type that is not taken, such as the `[` of an array.
  case unknownType(UInt8, offset: Int)
  /// Bytes that belong to nothing.
  case trailingBytes(offset: Int)
  /// Bundles lie deeper in one another than `OSCPacket.deepest`.
  case tooDeep(offset: Int)
}

extension OSCError: CustomStringConvertible {
  /// A sentence that names the byte.
  package var description: String {
    switch self {
    case .truncated(let offset): "byte \(offset): the packet ends too early"
    case .badSize(let size, let offset): "byte \(offset): invalid size \(size)"
    case .badAddress(let offset): "byte \(offset): an address must begin with '/'"
    case .badText(let offset): "byte \(offset): a string is not UTF-8, or contains a zero byte"
    case .missingTypes(let offset):
      "byte \(offset): expected a type tag string, which begins with ','"
    case .unknownType(let type, let offset):
      "byte \(offset): type \(Self.name(of: type)) is not supported (use ifsbhtdTFNI)"
    case .trailingBytes(let offset): "byte \(offset): extra bytes after the last argument"
    case .tooDeep(let offset):
      "byte \(offset): bundles are nested more than \(OSCPacket.deepest) deep"
    }
  }

  private static func name(of type: UInt8) -> String {
    (0x21...0x7E).contains(type) ? "'\(Character(Unicode.Scalar(type)))'" : "\(type)"
  }
}
