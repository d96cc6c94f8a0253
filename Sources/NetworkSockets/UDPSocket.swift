// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A UDP socket; its functions do not wait.
///
/// - Note: Use it from one thread at a time. To wait for `descriptor` to be readable, use
///   `DeadlineWait`.
///
/// Source: udp(7), ip(7), ipv6(7).
package struct UDPSocket: ~Copyable {
  let handle: SocketHandle
  /// True for an IPv6 socket, which does not receive IPv4 datagrams.
  package let isV6: Bool
  /// The number of datagrams that were dropped by the system, updated by `receive`.
  package internal(set) var droppedCount: UInt32 = 0

  /// Opens a socket at an address.
  ///
  /// - Parameters:
  ///   - address: An address of this machine, or all; port 0 lets the system choose.
  ///   - isShared: True to share the address and port with other sockets, as for multicast: each
  ///     receives all datagrams to its groups. False by default.
  /// - Throws: `NetworkError` if the address is in use, or is not an address of this machine.
  package init(bind address: SocketAddress, isShared: Bool = false) throws(NetworkError) {
    let handle = try SocketHandle(family: address.family, SOCK_DGRAM)
    let isV6 = address.address.isV6
    if isShared { try handle.set(SOL_SOCKET, SO_REUSEADDR, to: 1 as Int32, for: "address reuse") }
    if isV6 {
      try handle.set(
        Int32(IPPROTO_IPV6), Option.onlyV6, to: 1 as Int32, for: "IPv6 only")
    }
    try handle.set(SOL_SOCKET, Option.timestamp, to: 1 as Int32, for: "receive timestamps")
    try handle.set(SOL_SOCKET, Option.overflow, to: 1 as Int32, for: "the count of lost datagrams")
    try handle.bind(to: address)
    self.handle = handle
    self.isV6 = isV6
  }

  /// The file descriptor that becomes readable when a datagram arrives.
  package var descriptor: Int32 { handle.descriptor }

  /// The address, with the port that the system chose.
  ///
  /// - Throws: `NetworkError.cannotSet` if the system does not report it.
  package func localAddress() throws(NetworkError) -> SocketAddress {
    try handle.localAddress()
  }

  /// Requests a size for the receive buffer.
  ///
  /// - Parameter byteCount: The size in bytes; the system may grant less.
  /// - Throws: `NetworkError.cannotSet`.
  package func setReceiveRoom(_ byteCount: Int) throws(NetworkError) {
    try handle.set(SOL_SOCKET, SO_RCVBUF, to: Int32(clamping: byteCount), for: "room")
  }

  /// Options that are missing in the C library's Swift module, from the kernel's headers.
  enum Option {
    /// `SO_TIMESTAMPNS` of 64-bit systems.
    static let timestamp: Int32 = 35
    /// `SO_RXQ_OVFL`.
    static let overflow: Int32 = 40
    /// `IPV6_V6ONLY`.
    static let onlyV6: Int32 = 26
    /// `IP_MULTICAST_ALL`.
    static let allGroups: Int32 = 49
    /// `IPV6_MULTICAST_ALL`.
    static let allGroupsV6: Int32 = 29
    /// `IP_MULTICAST_IF`.
    static let interface: Int32 = 32
    /// `IP_MULTICAST_TTL`.
    static let hops: Int32 = 33
    /// `IP_MULTICAST_LOOP`.
    static let loop: Int32 = 34
    /// `IP_ADD_MEMBERSHIP`.
    static let join: Int32 = 35
    /// `IP_DROP_MEMBERSHIP`.
    static let leave: Int32 = 36
    /// `IPV6_MULTICAST_IF`.
    static let interfaceV6: Int32 = 17
    /// `IPV6_MULTICAST_HOPS`.
    static let hopsV6: Int32 = 18
    /// `IPV6_MULTICAST_LOOP`.
    static let loopV6: Int32 = 19
    /// `IPV6_JOIN_GROUP`.
    static let joinV6: Int32 = 20
    /// `IPV6_LEAVE_GROUP`.
    static let leaveV6: Int32 = 21
  }
}
