// SPDX-License-Identifier: Apache-2.0

/// The address and port of a sender or receiver.
package struct LinkEndpoint: Hashable, BitwiseCopyable, Sendable {
  /// An IP address.
  package enum Address: Hashable, BitwiseCopyable, Sendable {
    /// IPv4; the first octet is the most significant byte.
    case v4(UInt32)
    /// IPv6, without a scope, because datagrams do not contain one.
    case v6(UInt128)
  }

  /// The IP address.
  package let address: Address
  /// The UDP port.
  package let port: UInt16

  /// Creates an endpoint.
  package init(_ address: Address, port: UInt16) {
    (self.address, self.port) = (address, port)
  }
}
