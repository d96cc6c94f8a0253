// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension UDPSocket {
  /// Joins a multicast group on an interface.
  ///
  /// The socket does not receive datagrams to groups that only other sockets have joined.
  ///
  /// - Parameters:
  ///   - group: The group's address, of the socket's IP version.
  ///   - interface: The number of the interface.
  /// - Throws: `NetworkError.cannotJoin`, also if the interface has disappeared.
  package func join(_ group: IPAddress, on interface: UInt32) throws(NetworkError) {
    try change(group, on: interface, isJoining: true)
    if isV6 {
      try handle.set(
        Int32(IPPROTO_IPV6), Option.allGroupsV6, to: 0 as Int32, for: "multicast filtering")
    } else {
      try handle.set(
        Int32(IPPROTO_IP), Option.allGroups, to: 0 as Int32, for: "multicast filtering")
    }
  }

  /// Leaves a multicast group on an interface.
  ///
  /// - Parameters:
  ///   - group: The group's address.
  ///   - interface: The number of the interface.
  /// - Throws: `NetworkError.cannotJoin` if the socket had not joined the group.
  package func leave(_ group: IPAddress, on interface: UInt32) throws(NetworkError) {
    try change(group, on: interface, isJoining: false)
  }

  /// Sets the interface for sending to multicast groups.
  ///
  /// - Parameters:
  ///   - interface: The number of the interface.
  ///   - reachesOwnMachine: True if sockets on this machine receive the datagrams too.
  ///   - hops: The time to live; with 1, the default, datagrams stay on the link.
  /// - Throws: `NetworkError.cannotSet`.
  package func sendGroups(
    by interface: UInt32, reachesOwnMachine: Bool, hops: Int32 = 1
  ) throws(NetworkError) {
    let loop: Int32 = reachesOwnMachine ? 1 : 0
    let index = Int32(bitPattern: interface)
    if isV6 {
      let level = Int32(IPPROTO_IPV6)
      try handle.set(level, Option.interfaceV6, to: index, for: "the multicast interface")
      try handle.set(level, Option.loopV6, to: loop, for: "multicast loopback")
      try handle.set(level, Option.hopsV6, to: hops, for: "multicast hops")
    } else {
      let level = Int32(IPPROTO_IP)
      var request = ip_mreqn()
      request.imr_ifindex = index
      try handle.set(level, Option.interface, to: request, for: "the multicast interface")
      try handle.set(level, Option.loop, to: loop, for: "multicast loopback")
      try handle.set(level, Option.hops, to: hops, for: "multicast hops")
    }
  }

  private func change(
    _ group: IPAddress, on interface: UInt32, isJoining: Bool
  ) throws(NetworkError) {
    do throws(NetworkError) {
      switch group {
      case .v4(let bits):
        var request = ip_mreqn()
        request.imr_multiaddr.s_addr = bits.bigEndian
        request.imr_ifindex = Int32(bitPattern: interface)
        try handle.set(
          Int32(IPPROTO_IP), isJoining ? Option.join : Option.leave, to: request, for: "")
      case .v6(let bits, _):
        var request = ipv6_mreq()
        request.ipv6mr_multiaddr = IPAddress.v6(bits)
        request.ipv6mr_interface = interface
        try handle.set(
          Int32(IPPROTO_IPV6), isJoining ? Option.joinV6 : Option.leaveV6, to: request,
          for: "")
      }
    } catch {
      throw .cannotJoin(group, interface: interface, code: error.code ?? 0)
    }
  }
}
