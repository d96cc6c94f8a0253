// SPDX-License-Identifier: Apache-2.0

/// What every datagram of discovery begins with; the entries that follow are a `LinkPeerState`.
package struct DiscoveryHeader: Hashable, BitwiseCopyable, Sendable {
  /// What a datagram is for.
  package enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// I am here; sent to all, and answered.
    case alive = 1
    /// The answer, to one.
    case response = 2
    /// I leave.
    case byeBye = 3
  }

  /// How many bytes it has.
  package static let size = 20
  static let magic: [UInt8] = [0x5f, 0x61, 0x73, 0x64, 0x70, 0x5f, 0x76, 0x01]

  /// What the datagram is for.
  package let kind: Kind
  /// For how many seconds what it says holds.
  package let timeToLive: UInt8
  /// Which of several worlds the sender lives in; ours is 0.
  package let group: UInt16
  /// Who sent it.
  package let node: LinkID

  /// Creates a header.
  package init(_ kind: Kind, timeToLive: UInt8, group: UInt16 = 0, node: LinkID) {
    (self.kind, self.timeToLive) = (kind, timeToLive)
    (self.group, self.node) = (group, node)
  }

  /// Reads the head of a datagram.
  ///
  /// - Parameter bytes: The datagram.
  /// - Throws: `LinkError` where it is none of discovery.
  package init(reading bytes: Span<UInt8>) throws(LinkError) {
    guard bytes.count >= Self.size, bytes.begins(with: Self.magic) else { throw .foreign }
    guard let kind = Kind(rawValue: bytes[8]) else { throw .unknownKind(bytes[8]) }
    self.init(
      kind, timeToLive: bytes[9], group: UInt16(truncatingIfNeeded: bytes.number(at: 10, size: 2)),
      node: LinkID(bits: bytes.number(at: 12, size: 8)))
  }

  /// The bytes of a datagram with this head.
  ///
  /// - Parameter state: What the sender says of itself; nothing in a farewell.
  /// - Returns: 20 to 119 bytes.
  package func datagram(_ state: LinkPeerState? = nil) -> [UInt8] {
    var bytes = Self.magic + [kind.rawValue, timeToLive]
    bytes.append(number: group)
    bytes.append(number: node.bits)
    state?.append(to: &bytes)
    return bytes
  }
}
