// SPDX-License-Identifier: Apache-2.0

/// The rules for guests of a session.
package struct SessionRules: Hashable, Sendable {
  /// The addresses that begin with the same bits.
  package struct Network: Hashable, Sendable {
    /// An address of the network.
    package let host: SessionAddress.Host
    /// The number of common bits: 0…32, for IPv6 0…128.
    package let length: Int

    /// Creates a network.
    ///
    /// The length is limited to its range.
    package init(_ host: SessionAddress.Host, length: Int) {
      self.host = host
      let most = if case .v4 = host { 32 } else { 128 }
      self.length = min(max(0, length), most)
    }

    /// Returns true if an address is in the network.
    package func contains(_ other: SessionAddress.Host) -> Bool {
      switch (host, other) {
      case (.v4(let own), .v4(let bits)): length == 0 || (own ^ bits) >> UInt32(32 - length) == 0
      case (.v6(let own, _), .v6(let bits, _)):
        length == 0 || (own ^ bits) >> UInt128(128 - length) == 0
      default: false
      }
    }
  }

  /// The networks from which guests are accepted.
  package var networks: [Network]
  /// The accepted names of guests; empty for any name.
  ///
  /// A name does not prove an identity.
  package var names: Set<String>

  /// Creates rules.
  ///
  /// By default all machines on private networks are accepted.
  package init(networks: [Network] = Network.private, names: Set<String> = []) {
    (self.networks, self.names) = (networks, names)
  }

  /// Returns true if a guest is accepted.
  package func allow(_ host: SessionAddress.Host, name: String) -> Bool {
    networks.contains { $0.contains(host) } && (names.isEmpty || names.contains(name))
  }
}

extension SessionRules.Network {
  /// This machine, link-local addresses, and private networks by RFC 1918 and RFC 4193.
  package static let `private`: [SessionRules.Network] = [
    .init(.v4(0x7F00_0000), length: 8), .init(.v4(0x0A00_0000), length: 8),
    .init(.v4(0xAC10_0000), length: 12), .init(.v4(0xC0A8_0000), length: 16),
    .init(.v4(0xA9FE_0000), length: 16), .init(.v6(1, scope: 0), length: 128),
    .init(.v6(0xFE80 << 112, scope: 0), length: 10), .init(.v6(0xFC << 120, scope: 0), length: 7),
  ]
}
