// SPDX-License-Identifier: Apache-2.0

/// An address of the Internet protocol, without a port.
package enum IPAddress: Hashable, Sendable {
  /// Version 4; the first octet is the highest byte.
  case v4(UInt32)
  /// Version 6, with the index of the interface where the address holds on one link only, else 0.
  case v6(UInt128, scope: UInt32)

  /// Every interface of this machine, version 4.
  package static let anyV4 = IPAddress.v4(0)
  /// Every interface of this machine, version 6.
  package static let anyV6 = IPAddress.v6(0, scope: 0)
  /// This machine alone, version 4.
  package static let loopbackV4 = IPAddress.v4(0x7f00_0001)
  /// This machine alone, version 6.
  package static let loopbackV6 = IPAddress.v6(1, scope: 0)

  /// Whether it is one of version 6.
  package var isV6: Bool {
    if case .v6 = self { true } else { false }
  }

  /// Whether it never leaves the machine: 127.0.0.0/8 or ::1.
  package var isLoopback: Bool {
    switch self {
    case .v4(let bits): bits >> 24 == 127
    case .v6(let bits, _): bits == 1
    }
  }

  /// Whether it holds on one link only: 169.254.0.0/16 or fe80::/10.
  package var isLinkLocal: Bool {
    switch self {
    case .v4(let bits): bits >> 16 == 0xa9fe
    case .v6(let bits, _): bits >> 118 == 0xfe80 >> 6
    }
  }

  /// Whether no router of the public network passes it on: 10/8, 172.16/12, 192.168/16, fc00::/7,
  /// what holds on one link and what never leaves the machine.
  ///
  /// Source: RFC 1918, RFC 4193.
  package var isPrivate: Bool {
    if isLoopback || isLinkLocal { return true }
    return switch self {
    case .v4(let bits): bits >> 24 == 10 || bits >> 20 == 0xac1 || bits >> 16 == 0xc0a8
    case .v6(let bits, _): bits >> 121 == 0xfc >> 1
    }
  }

  /// Whether it is a group's: 224.0.0.0/4 or ff00::/8.
  package var isMulticast: Bool {
    switch self {
    case .v4(let bits): bits >> 28 == 14
    case .v6(let bits, _): bits >> 120 == 0xff
    }
  }

  /// The same address, where it holds on one link only that of an interface.
  ///
  /// - Parameter index: The interface's number.
  /// - Returns: The address with it; itself where it holds everywhere.
  package func scoped(to index: UInt32) -> IPAddress {
    guard case .v6(let bits, _) = self, isLinkLocal || isMulticast else { return self }
    return .v6(bits, scope: index)
  }
}
