// SPDX-License-Identifier: Apache-2.0

/// The address of a peer: an IP address and a port.
package struct SessionAddress: Hashable, Sendable {
  /// The IP address of a machine.
  package enum Host: Hashable, Sendable {
    /// An IPv4 address; its first byte is the highest byte.
    case v4(UInt32)
    /// An IPv6 address, with the interface's number for a link-local address, otherwise 0.
    case v6(UInt128, scope: UInt32)
  }

  /// The IP address.
  package var host: Host
  /// The port.
  package var port: UInt16

  /// Creates an address.
  package init(_ host: Host, port: UInt16) {
    (self.host, self.port) = (host, port)
  }

  /// The address of the other port of the pair: the data port is one above the control port.
  func port(of side: SessionSide) -> SessionAddress {
    SessionAddress(host, port: side == .music ? port &+ 1 : port &- 1)
  }
}

/// One of the two ports of a peer: the control port, or the data port above it.
package enum SessionSide: Hashable, Sendable {
  /// The control port, for invitations, farewells and acknowledgements.
  case control
  /// The data port, for packets of commands and for comparing clocks.
  case music
}

/// A datagram that must be sent at once.
package struct SessionSend: Hashable, Sendable {
  /// The datagram.
  package let octets: [UInt8]
  /// The receiver.
  package let address: SessionAddress
  /// The local port from which it is sent.
  package let side: SessionSide
}
