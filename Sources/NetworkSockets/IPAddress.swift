// SPDX-License-Identifier: Apache-2.0

/// An IP address, without a port.
package enum IPAddress: Hashable, Sendable {
  /// An IPv4 address; its first byte is the highest byte.
  case v4(UInt32)
  /// An IPv6 address, with the index of the interface for a link-local address, otherwise 0.
  case v6(UInt128, scope: UInt32)

  /// All IPv4 interfaces of this machine.
  package static let anyV4 = IPAddress.v4(0)
  /// All IPv6 interfaces of this machine.
  package static let anyV6 = IPAddress.v6(0, scope: 0)
  /// Only this machine, IPv4.
  package static let loopbackV4 = IPAddress.v4(0x7f00_0001)
  /// Only this machine, IPv6.
  package static let loopbackV6 = IPAddress.v6(1, scope: 0)

  /// True for an IPv6 address.
  package var isV6: Bool {
    if case .v6 = self { true } else { false }
  }

  /// True for an address that never leaves the machine: 127.0.0.0/8 or ::1.
  package var isLoopback: Bool {
    switch self {
    case .v4(let bits): bits >> 24 == 127
    case .v6(let bits, _): bits == 1
    }
  }

  /// True for a link-local address: 169.254.0.0/16 or fe80::/10.
  package var isLinkLocal: Bool {
    switch self {
    case .v4(let bits): bits >> 16 == 0xa9fe
    case .v6(let bits, _): bits >> 118 == 0xfe80 >> 6
    }
  }

  /// True for an address that public routers do not forward.
  ///
  /// These are 10/8, 172.16/12, 192.168/16, fc00::/7, link-local and loopback addresses.
  ///
  /// Source: RFC 1918, RFC 4193.
  package var isPrivate: Bool {
    if isLoopback || isLinkLocal { return true }
    return switch self {
    case .v4(let bits): bits >> 24 == 10 || bits >> 20 == 0xac1 || bits >> 16 == 0xc0a8
    case .v6(let bits, _): bits >> 121 == 0xfc >> 1
    }
  }

  /// True for a multicast address: 224.0.0.0/4 or ff00::/8.
  package var isMulticast: Bool {
    switch self {
    case .v4(let bits): bits >> 28 == 14
    case .v6(let bits, _): bits >> 120 == 0xff
    }
  }

  /// The same address, with the interface for a link-local or multicast IPv6 address.
  ///
  /// - Parameter index: The number of the interface.
  /// - Returns: The address with the interface; other addresses are unchanged.
  package func scoped(to index: UInt32) -> IPAddress {
    guard case .v6(let bits, _) = self, isLinkLocal || isMulticast else { return self }
    return .v6(bits, scope: index)
  }
}
