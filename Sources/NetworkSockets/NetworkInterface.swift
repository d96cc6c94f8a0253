// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A network interface of this machine.
package struct NetworkInterface: Hashable, Sendable {
  /// The name, such as `eth0`.
  package let name: String
  /// The number.
  package let index: UInt32
  /// The addresses; link-local IPv6 addresses have the interface's number.
  package internal(set) var addresses: [IPAddress] = []
  /// True if it is up and running.
  package internal(set) var isUp: Bool
  /// True for the loopback interface.
  package let isLoopback: Bool
  /// True if multicast groups can be joined on it.
  package let isMulticast: Bool

  /// The current interfaces, in order of number.
  ///
  /// - Returns: All interfaces, including those that are down or do not have an address.
  /// - Throws: `NetworkError.cannotList` if the system does not list them.
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
    // A second address has a separate name, `eth0:1`, but belongs to the same interface.
    name = String(unsafe String(cString: text).prefix { $0 != ":" })
    let flags = unsafe Int(entry.ifa_flags)
    let running = Int(IFF_UP | IFF_RUNNING)
    isUp = flags & running == running
    isLoopback = flags & Int(IFF_LOOPBACK) != 0
    isMulticast = flags & Int(IFF_MULTICAST) != 0
  }
}
