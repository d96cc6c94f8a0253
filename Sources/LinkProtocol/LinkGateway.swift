// SPDX-License-Identifier: Apache-2.0

/// A way from this machine to others: an interface and a version of the protocol.
package struct LinkGateway: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The interface's number.
  package let interface: UInt32
  /// Whether it is one of version 6.
  package let isV6: Bool

  /// Creates a gateway.
  package init(interface: UInt32, isV6: Bool = false) {
    (self.interface, self.isV6) = (interface, isV6)
  }

  /// Whether one is asked before another: version 4, and the lower number.
  package static func < (left: LinkGateway, right: LinkGateway) -> Bool {
    left.isV6 == right.isV6 ? left.interface < right.interface : !left.isV6
  }
}

/// A datagram that a node wants sent.
package struct LinkSend: Hashable, Sendable {
  /// Whom it is for, and from which socket.
  package enum Destination: Hashable, Sendable {
    /// The group of all, from the socket of discovery.
    case group
    /// A peer, from the socket of discovery.
    case peer(LinkEndpoint)
    /// A peer, from the socket that answers pings.
    case measurement(LinkEndpoint)
  }

  /// The datagram.
  package let bytes: [UInt8]
  /// Where it goes.
  package let destination: Destination
  /// By which way.
  package let gateway: LinkGateway
}
