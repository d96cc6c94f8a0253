// SPDX-License-Identifier: Apache-2.0

/// The start of every discovery datagram; the entries that follow are a `LinkPeerState`.
package struct DiscoveryHeader: Hashable, BitwiseCopyable, Sendable {
  /// The type of a datagram.
  package enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// An announcement to all, which is answered.
    case alive = 1
    /// An answer to one peer.
    case response = 2
    /// A farewell.
    case byeBye = 3
  }

  /// The size in bytes.
  package static let size = 20
  static let magic: [UInt8] = [0x5f, 0x61, 0x73, 0x64, 0x70, 0x5f, 0x76, 0x01]

  /// The type of the datagram.
  package let kind: Kind
  /// The time in seconds for which the contents are valid.
  package let timeToLive: UInt8
  /// A number that separates groups of peers; 0 for the only group in use.
  package let group: UInt16
  /// The sender.
  package let node: LinkID

  /// Creates a header.
  package init(_ kind: Kind, timeToLive: UInt8, group: UInt16 = 0, node: LinkID) {
    (self.kind, self.timeToLive) = (kind, timeToLive)
    (self.group, self.node) = (group, node)
  }

  /// Reads the header of a datagram.
  ///
  /// - Parameter bytes: The datagram.
  /// - Throws: `LinkError` if it is not a discovery datagram.
  package init(reading bytes: Span<UInt8>) throws(LinkError) {
    guard bytes.count >= Self.size, bytes.begins(with: Self.magic) else { throw .foreign }
    guard let kind = Kind(rawValue: bytes[8]) else { throw .unknownKind(bytes[8]) }
    self.init(
      kind, timeToLive: bytes[9], group: UInt16(truncatingIfNeeded: bytes.number(at: 10, size: 2)),
      node: LinkID(bits: bytes.number(at: 12, size: 8)))
  }

  /// Returns a datagram with this header.
  ///
  /// - Parameter state: The state of the sender; nil (the default) in a farewell.
  /// - Returns: 20 to 119 bytes.
  package func datagram(_ state: LinkPeerState? = nil) -> [UInt8] {
    var bytes = Self.magic + [kind.rawValue, timeToLive]
    bytes.append(number: group)
    bytes.append(number: node.bits)
    state?.append(to: &bytes)
    return bytes
  }
}
