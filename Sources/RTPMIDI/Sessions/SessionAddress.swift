// SPDX-License-Identifier: Apache-2.0

/// Where a party of a session is reached: an address of the Internet protocol, and a port.
package struct SessionAddress: Hashable, Sendable {
  /// The address of a machine.
  package enum Host: Hashable, Sendable {
    /// Version 4; the first octet is the highest byte.
    case v4(UInt32)
    /// Version 6, with the interface's number where the address holds on one link only, else 0.
    case v6(UInt128, scope: UInt32)
  }

  /// The machine.
  package var host: Host
  /// The port.
  package var port: UInt16

  /// Creates an address.
  package init(_ host: Host, port: UInt16) {
    (self.host, self.port) = (host, port)
  }

  /// The other port of the pair: that for music above, that for control below.
  func port(of side: SessionSide) -> SessionAddress {
    SessionAddress(host, port: side == .music ? port &+ 1 : port &- 1)
  }
}

/// The two ports of a party: one for the session, and above it one for music.
package enum SessionSide: Hashable, Sendable {
  /// Invitations, farewells and what was received.
  case control
  /// Packets of music, and times of the clocks.
  case music
}

/// A datagram that a node wants sent, at once.
package struct SessionSend: Hashable, Sendable {
  /// The datagram.
  package let octets: [UInt8]
  /// Where it goes.
  package let address: SessionAddress
  /// From which of our ports.
  package let side: SessionSide
}
