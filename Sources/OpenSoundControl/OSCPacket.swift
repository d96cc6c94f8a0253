// SPDX-License-Identifier: Apache-2.0

/// What a datagram holds: a message or a bundle.
///
/// Source: The Open Sound Control 1.0 Specification.
package enum OSCPacket: Hashable, Sendable {
  /// The deepest that bundles may lie in one another.
  package static let deepest = 8

  /// One message, which takes effect now.
  case message(OSCMessage)
  /// Messages that take effect together.
  case bundle(OSCBundle)

  /// Reads a datagram.
  ///
  /// A bundle that was cut between two of its elements is a shorter one: nothing in it says how
  /// many there are.
  ///
  /// - Parameter bytes: All of it.
  /// - Throws: `OSCError` with the offset of what is wrong.
  /// - Complexity: O(n) in the bytes, in time and memory.
  package init(reading bytes: [UInt8]) throws(OSCError) {
    var reader = OSCReader(bytes)
    self = try reader.packet(upTo: bytes.count, depth: 0)
  }

  /// Writes the bytes of a datagram; one packet has one form.
  ///
  /// - Returns: The bytes, a multiple of 4.
  /// - Throws: `OSCError` for an address or a text that cannot be written, and for bundles that lie
  ///   too deep.
  package func bytes() throws(OSCError) -> [UInt8] {
    var writer = OSCWriter()
    try writer.write(self, depth: 0)
    return writer.bytes
  }
}
