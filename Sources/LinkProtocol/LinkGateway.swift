// SPDX-License-Identifier: Apache-2.0

/// A connection from this machine to a network: an interface and a version of IP.
package struct LinkGateway: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The index of the interface.
  package let interface: UInt32
  /// True for IPv6.
  package let isV6: Bool

  /// Creates a gateway; IPv4 by default.
  package init(interface: UInt32, isV6: Bool = false) {
    (self.interface, self.isV6) = (interface, isV6)
  }

  /// Returns true if the left gateway has priority: IPv4, and then the lower index.
  package static func < (left: LinkGateway, right: LinkGateway) -> Bool {
    left.isV6 == right.isV6 ? left.interface < right.interface : !left.isV6
  }
}

/// A datagram to send.
package struct LinkSend: Hashable, Sendable {
  /// The receiver of a datagram, and the socket that sends it.
  package enum Destination: Hashable, Sendable {
    /// The multicast group, from the discovery socket.
    case group
    /// A peer, from the discovery socket.
    case peer(LinkEndpoint)
    /// A peer, from the socket that answers pings.
    case measurement(LinkEndpoint)
  }

  /// The bytes of the datagram.
  package let bytes: [UInt8]
  /// The receiver.
  package let destination: Destination
  /// The gateway through which it is sent.
  package let gateway: LinkGateway
}
