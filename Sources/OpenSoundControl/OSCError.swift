// SPDX-License-Identifier: Apache-2.0

/// An error of reading or writing a packet, with the offset of the byte.
package enum OSCError: Error, Hashable, Sendable {
  /// The packet is incomplete.
  case truncated(offset: Int)
  /// A size is negative, not a multiple of 4, or extends past the end.
  case badSize(Int32, offset: Int)
  /// A packet begins with neither `/` nor `#bundle`.
  case badAddress(offset: Int)
  /// A text is not UTF-8, or a text to be written contains a zero byte.
  case badText(offset: Int)
  /// The address is not followed by a type tag string.
  case missingTypes(offset: Int)
  /// A type is not supported, such as the `[` of an array.
  case unknownType(UInt8, offset: Int)
  /// There are extra bytes after the last argument.
  case trailingBytes(offset: Int)
  /// Bundles are nested deeper than `OSCPacket.deepest`.
  case tooDeep(offset: Int)
}

extension OSCError: CustomStringConvertible {
  /// The text of the error message.
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
