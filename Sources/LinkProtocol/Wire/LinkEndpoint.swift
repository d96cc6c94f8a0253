// SPDX-License-Identifier: Apache-2.0

/// An address and a port that datagrams of Link go to or come from.
package struct LinkEndpoint: Hashable, BitwiseCopyable, Sendable {
  /// An address of either version.
  package enum Address: Hashable, BitwiseCopyable, Sendable {
    /// Version 4; the first octet is the highest byte.
    case v4(UInt32)
    /// Version 6; which link it holds on is not part of it, since no datagram tells.
    case v6(UInt128)
  }

  /// The address.
  package let address: Address
  /// The port.
  package let port: UInt16

  /// Creates an endpoint.
  package init(_ address: Address, port: UInt16) {
    (self.address, self.port) = (address, port)
  }
}
