// SPDX-License-Identifier: Apache-2.0

/// The content of a datagram: a message or a bundle.
///
/// Source: The Open Sound Control 1.0 Specification.
package enum OSCPacket: Hashable, Sendable {
  /// The deepest nesting of bundles.
  package static let deepest = 8

  /// One message, which takes effect immediately.
  case message(OSCMessage)
  /// Messages that take effect together.
  case bundle(OSCBundle)

  /// Decodes a datagram.
  ///
  /// A bundle that was cut between two elements is read as a shorter bundle, because bundles do not
  /// state their number of elements.
  ///
  /// - Parameter bytes: The whole datagram.
  /// - Throws: `OSCError` with the offset of the defect.
  /// - Complexity: O(n) in the bytes, in time and memory.
  package init(reading bytes: [UInt8]) throws(OSCError) {
    var reader = OSCReader(bytes)
    self = try reader.packet(upTo: bytes.count, depth: 0)
  }

  /// Encodes the packet as a datagram.
  ///
  /// Equal packets give equal bytes.
  ///
  /// - Returns: The bytes; their number is a multiple of 4.
  /// - Throws: `OSCError` for an address or text that cannot be written, and for bundles that are
  ///   nested too deeply.
  package func bytes() throws(OSCError) -> [UInt8] {
    var writer = OSCWriter()
    try writer.write(self, depth: 0)
    return writer.bytes
  }
}
