// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A way from this machine to a network, or to itself.
package struct NetworkInterface: Hashable, Sendable {
  /// What it is called, `eth0`.
  package let name: String
  /// Its number.
  package let index: UInt32
  /// Its addresses, those of version 6 with its number where they hold on one link only.
  package internal(set) var addresses: [IPAddress] = []
  /// Whether it is up and running.
  package internal(set) var isUp: Bool
  /// Whether it leads to this machine alone.
  package let isLoopback: Bool
  /// Whether groups can be joined on it.
  package let isMulticast: Bool

  /// Those there are now, in the order of their numbers.
  ///
  /// - Returns: All, those that are down and those without an address too.
  /// - Throws: `NetworkError.cannotList` where the system does not say.
  package static func list() throws(NetworkError) -> [NetworkInterface] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard unsafe getifaddrs(&list) == 0 else { throw .cannotList(code: errno) }
    defer { unsafe freeifaddrs(list) }
    var interfaces: [UInt32: NetworkInterface] = [:]
    var next = unsafe list
    while let entry = unsafe next {
      if var interface = unsafe NetworkInterface(entry.pointee) {
        interface.addresses = interfaces[interface.index]?.addresses ?? []
        if let system = unsafe entry.pointee.ifa_addr,
          let address = unsafe SocketAddress(UnsafePointer(system))?.address
        {
          interface.addresses.append(address)
        }
        interfaces[interface.index] = interface
      }
      unsafe next = entry.pointee.ifa_next
    }
    return interfaces.values.sorted { $0.index < $1.index }
  }

  private init?(_ entry: ifaddrs) {
    guard let text = unsafe entry.ifa_name else { return nil }
    let index = unsafe if_nametoindex(text)
    guard index != 0 else { return nil }
    self.index = index
    // A second address has a name of its own, `eth0:1`; the interface is one.
    name = String(unsafe String(cString: text).prefix { $0 != ":" })
    let flags = unsafe Int(entry.ifa_flags)
    let running = Int(IFF_UP | IFF_RUNNING)
    isUp = flags & running == running
    isLoopback = flags & Int(IFF_LOOPBACK) != 0
    isMulticast = flags & Int(IFF_MULTICAST) != 0
  }
}
