// SPDX-License-Identifier: Apache-2.0
package import NetworkSockets
package import RTPMIDI

extension SessionAddress {
  /// Creates the address from a socket's address.
  package init(_ address: SocketAddress) {
    self.init(Host(address.address), port: address.port)
  }

  /// The address for a socket.
  package var socketAddress: SocketAddress { SocketAddress(IPAddress(host), port: port) }
}

extension SessionAddress.Host {
  /// Creates the same address.
  package init(_ address: IPAddress) {
    switch address {
    case .v4(let bits): self = .v4(bits)
    case .v6(let bits, let scope): self = .v6(bits, scope: scope)
    }
  }
}

extension IPAddress {
  /// Creates the same address.
  package init(_ host: SessionAddress.Host) {
    switch host {
    case .v4(let bits): self = .v4(bits)
    case .v6(let bits, let scope): self = .v6(bits, scope: scope)
    }
  }
}
